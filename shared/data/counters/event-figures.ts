import { type PricedEvent, readPricedEvent } from '../prices/read.ts';
import type { Table } from '../table/table.ts';
import { readSales } from './sales.ts';
import { readAttended } from './scans.ts';

/** The prices of an event with what was sold and who came. Both statistics of an event are sums of it. */
export interface EventFigures extends PricedEvent {
  readonly sales: Awaited<ReturnType<typeof readSales>>;
  readonly attended: Awaited<ReturnType<typeof readAttended>>;
}

/** Undefined if the organisation has no such event. */
export async function readEventFigures(
  table: Table,
  orgId: string,
  eventId: number,
): Promise<EventFigures | undefined> {
  const [priced, sales, attended] = await Promise.all([
    readPricedEvent(table, orgId, eventId),
    readSales(table, orgId, eventId),
    readAttended(table, orgId, eventId),
  ]);
  return priced && { ...priced, sales, attended };
}
