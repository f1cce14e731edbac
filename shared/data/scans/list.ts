import type { ScanRecord } from '../../domain/scans/scan.ts';
import { recordedSecondText, secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { readListPage } from '../lists/list-page.ts';
import { scansPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseScan } from './row.ts';

export interface ScanListing {
  readonly orgId: string;
  readonly eventId: number;
  readonly range: TimeRange;
  readonly page: number;
  readonly limit: number;
  /** The API key that reads the pages. */
  readonly pageOwner?: string;
}

export interface ScanPage {
  readonly scans: readonly ScanRecord[];
  readonly hasMore: boolean;
}

/** Returns a page of the scans of an event, the oldest first. */
export async function listScans(table: Table, listing: ScanListing, nowUnix: number): Promise<ScanPage> {
  const { orgId, eventId, range, page, limit, pageOwner } = listing;
  const { from, to } = secondsOf(range);
  const list = {
    list: { orgId, operation: 'list-event-scans', parameters: { eventId, ...range, limit }, pageOwner },
    page,
    limit,
    descending: false,
    order: {
      partition: scansPartition(orgId, eventId),
      from: recordedSecondText(from),
      to: recordedSecondText(to),
      parse: parseScan,
    },
    sortKeyOf: ({ sortKey }: ScanRecord) => sortKey,
    matchesFilter: () => true,
    candidateRanges: [],
    // Without candidate ranges no rows are collected, so their identity is not needed.
    idOf: () => 0,
    versionOf: () => 0,
  };
  const { rows, hasMore } = await readListPage(table, list, nowUnix);
  return { scans: rows, hasMore };
}
