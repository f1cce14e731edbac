import type { ScanRecord } from '../../domain/scans/scan.ts';
import { parseScan } from '../scans/row.ts';
import { scansPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/** Every scan of an event, oldest first. For tools, not for requests. */
export async function* everyScan(table: Table, orgId: string, eventId: number): AsyncGenerator<ScanRecord> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': scansPartition(orgId, eventId) },
    ConsistentRead: true,
  });
  for await (const items of pages) yield* items.map(parseScan);
}
