import { readMapOfEvent } from '../../../data/seats/stock.ts';
import type { Table } from '../../../data/table/table.ts';
import type { EventRecord } from '../../../domain/events/event.ts';
import { referenceMissing } from '../../problem.ts';

/** A price category sells a zone that the seat map of its event has. */
export async function checkZone(table: Table, orgId: string, event: EventRecord, zone: string | null): Promise<void> {
  if (zone === null) return;
  const map = await readMapOfEvent(table, orgId, event);
  if (!map?.zones.some((one) => one.zone === zone)) throw referenceMissing('zone of the seat map of the event', 'zone');
}
