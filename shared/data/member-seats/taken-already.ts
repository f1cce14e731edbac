import { type EventRecord, publishedStatus } from '../../domain/events/event.ts';
import { isSoldOrHeldBy, parseSeatName } from '../../domain/seats/seat-moves.ts';
import { parseTakenRow } from '../seats/rows.ts';
import { batchGet } from '../table/batch-get.ts';
import { seatRowKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { openEventsOnMap } from './follow.ts';

interface SeatOnMap {
  readonly mapId: number;
  /** The full name of the seat. */
  readonly seat: string;
  readonly nowUnix: number;
}

/** The published events on a map, the next one first, at which a buyer has the seat: there it stays with the buyer. */
export async function eventsWithSeatTaken(
  table: Table,
  orgId: string,
  { mapId, seat, nowUnix }: SeatOnMap,
): Promise<readonly EventRecord[]> {
  const ref = parseSeatName(seat);
  if (ref === undefined) return [];
  const events = (await openEventsOnMap(table, orgId, mapId, nowUnix))
    .filter(({ statusId }) => statusId === publishedStatus)
    .toSorted((one, other) => one.startUnix - other.startUnix);
  const keyOf = ({ eventId }: EventRecord) => seatRowKey(orgId, eventId, ref.section, ref.row);
  const rows = new Map((await batchGet(table, events.map(keyOf), { consistent: true })).map((item) => [item.pk, item]));
  return events.filter((event) => {
    const item = rows.get(keyOf(event).pk);
    const owner = item && parseTakenRow(ref.section, item).owners.get(ref.label);
    return owner !== undefined && isSoldOrHeldBy(owner);
  });
}
