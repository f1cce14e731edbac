import { readMapOfEvent } from '../data/seats/stock.ts';
import type { Table } from '../data/table/table.ts';
import type { EventRecord } from '../domain/events/event.ts';

/** Whether the seat map of the event has the zone that a price category sells. */
export async function hasZone(table: Table, orgId: string, event: EventRecord, zone: string): Promise<boolean> {
  const map = await readMapOfEvent(table, orgId, event);
  return map?.zones.some((one) => one.zone === zone) === true;
}
