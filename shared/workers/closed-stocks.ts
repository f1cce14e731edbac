import type { DynamoDBRecord } from 'aws-lambda';
import { parseEventPartition } from '../data/table/keys.ts';

/** The events whose closed stock has changed: their waiting lists have something to do. The record itself says that it is closed. */
export function eventsWithClosedStock(
  records: readonly DynamoDBRecord[],
): readonly { readonly orgId: string; readonly eventId: number }[] {
  const closed = records.filter(
    ({ dynamodb }) => dynamodb?.NewImage?.closed !== undefined || dynamodb?.OldImage?.closed !== undefined,
  );
  const partitions = closed.map(({ dynamodb }) => parseEventPartition(dynamodb?.Keys?.pk?.S ?? ''));
  return [...new Map(partitions.map((event) => [`${event.orgId}#${event.eventId}`, event])).values()];
}
