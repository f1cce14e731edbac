import type { EventRecord } from '../domain/event-record.ts';
import { parseEvent } from './events-row.ts';
import { eventsPartition } from './keys.ts';
import { queryPages } from './query-all.ts';
import type { Table } from './table.ts';

/** Every event of an organisation, deleted ones too. For tools, not for requests. */
export async function* everyEvent(table: Table, orgId: string): AsyncGenerator<EventRecord> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :events)',
    ExpressionAttributeValues: { ':pk': eventsPartition(orgId), ':events': 'E#' },
    ConsistentRead: true,
  });
  for await (const items of pages) yield* items.map(parseEvent);
}
