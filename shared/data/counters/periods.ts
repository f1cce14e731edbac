import type { OrderCounts } from '../../domain/orders/counts.ts';
import type { Period } from '../../domain/time/periods.ts';
import type { Table } from '../table/table.ts';
import { readSales } from './sales.ts';
import { countScans } from './scans.ts';
import type { CountedEvent } from './shards.ts';

/** What was sold and scanned in a period. */
export interface CountedPeriod extends Period {
  readonly sales: OrderCounts;
  readonly scans: number;
}

/** Each period is read as a range of its own: together they read what as many requests would. */
export function readPeriods(
  table: Table,
  { orgId, eventId }: CountedEvent,
  periods: readonly Period[],
): Promise<readonly CountedPeriod[]> {
  return Promise.all(
    periods.map(async (period) => {
      const range = { after: period.fromUnix - 1, before: period.untilUnix };
      const [sales, scans] = await Promise.all([
        readSales(table, orgId, eventId, range),
        countScans(table, orgId, eventId, range),
      ]);
      return { ...period, sales, scans };
    }),
  );
}
