import type { ScanRecord } from '../domain/scan-record.ts';
import { scansPartition } from './keys.ts';
import { queryPages } from './query-all.ts';
import { parseScan } from './scans-row.ts';
import type { Table } from './table.ts';

/** Every scan of an event, oldest first. For tools, not for requests. */
export async function* everyScan(table: Table, orgId: string, eventId: number): AsyncGenerator<ScanRecord> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': scansPartition(orgId, eventId) },
    ConsistentRead: true,
  });
  for await (const items of pages) yield* items.map(parseScan);
}
