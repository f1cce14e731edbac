import type { EventRecord } from '../../domain/events/event.ts';
import { parseEvent } from '../events/row.ts';
import { eventsPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/** Every event of an organisation, deleted ones too. For tools, not for requests. */
export async function* everyEvent(table: Table, orgId: string): AsyncGenerator<EventRecord> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :events)',
    ExpressionAttributeValues: { ':pk': eventsPartition(orgId), ':events': 'E#' },
    ConsistentRead: true,
  });
  for await (const items of pages) yield* items.map(parseEvent);
}
