import { itemBytes } from '../../local/cloud/dynamodb/model/item-size.ts';
import { orderTicketsPartition } from '../../shared/data/table/keys.ts';
import { queryPages } from '../../shared/data/table/query.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { BenchOrganisation } from '../harness/population.ts';
import type { ReadCostMeter, WalkCost } from '../harness/read-cost-meter.ts';
import { atMost, type FigureTable, type Target } from '../report/figures.ts';

/** The largest page that a gate can request. */
const ticketsPerPage = 2_500;

/** An eventually consistent read returns this many bytes for one unit. */
const bytesPerUnit = 8_192;

export interface Download extends WalkCost {
  /** The bytes of all rows, each once. */
  readonly bytes: number;
}

export async function measureDownload(
  meter: ReadCostMeter,
  uncounted: Table,
  { orgId, eventId }: BenchOrganisation,
): Promise<Download> {
  const cost = await meter.walk('list-event-tickets', ticketsPerPage);
  let bytes = 0;
  const pages = queryPages(uncounted, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': orderTicketsPartition(orgId, eventId) },
  });
  for await (const items of pages) bytes += items.reduce((sum, item) => sum + itemBytes(item), 0);
  return { ...cost, bytes };
}

/** What a gate without a connection downloads before an event: all its tickets. */
export function downloadFindings(
  sizes: readonly number[],
  downloads: readonly Download[],
): { readonly table: FigureTable; readonly targets: readonly Target[] } {
  const rows = sizes.map((size, index) => {
    const { requests = 0, readUnits = 0, bytes = 0 } = downloads[index] ?? {};
    return { size, requests, readUnits, ratio: (readUnits * bytesPerUnit) / Math.max(1, bytes) };
  });
  const largest = rows.at(-1);
  return {
    table: {
      title: 'Download of all tickets of an event, 2,500 in each request',
      columns: ['tickets', 'requests', 'read units', 'units over the least for the same rows'],
      rows: rows.map(({ size, requests, readUnits, ratio }) => [size, requests, readUnits, ratio]),
    },
    targets: [
      atMost({
        name: 'growth: download of all tickets, read units over the least for the same rows',
        value: largest?.ratio ?? 0,
        limit: 1.25,
      }),
      atMost({
        name: 'growth: download of all tickets, requests',
        value: largest?.requests ?? 0,
        limit: Math.ceil((largest?.size ?? 0) / ticketsPerPage) + 1,
      }),
    ],
  };
}
