import type { ScanRecord } from '../../domain/scans/scan.ts';
import { recordedSecondText, secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { scanListCounters } from '../counters/scans.ts';
import { readListPage } from '../lists/list-page.ts';
import { locateInTime } from '../lists/locate-time.ts';
import { scansPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseScan } from './row.ts';

export interface ScanListing {
  readonly orgId: string;
  readonly eventId: number;
  readonly range: TimeRange;
  readonly page: number;
  readonly limit: number;
}

export interface ScanPage {
  readonly scans: readonly ScanRecord[];
  readonly hasMore: boolean;
}

/** Returns a page of the scans of an event, the oldest first. */
export async function listScans(table: Table, listing: ScanListing): Promise<ScanPage> {
  const { orgId, eventId, range, page, limit } = listing;
  const { from, to } = secondsOf(range);
  const list = {
    page,
    limit,
    descending: false,
    order: {
      partition: scansPartition(orgId, eventId),
      from: recordedSecondText(from),
      to: recordedSecondText(to),
      parse: parseScan,
    },
    matchesFilter: () => true,
    locate: (offset: number) => locateInTime(table, scanListCounters({ orgId, eventId }), range, offset),
  };
  const { rows, hasMore } = await readListPage(table, list);
  return { scans: rows, hasMore };
}
