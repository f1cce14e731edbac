import { closedOwner } from '../seats/other-version.ts';
import type { SeatMap } from '../seats/seat-map.ts';
import { isBlockOwner, isMemberOwner, type TakenRow } from '../seats/seat-moves.ts';

/** How many seats a zone has, and who has them. Those of baskets and orders are the rest. */
export interface ZonePlaces {
  capacity: number;
  free: number;
  blocked: number;
  members: number;
}

/** The seats of each zone, by its name. A seat that the event's version of the map has lost is none. */
export function zonePlaces(
  { zones, sections }: SeatMap,
  taken: ReadonlyMap<string, readonly TakenRow[]>,
): ReadonlyMap<string, ZonePlaces> {
  const places = new Map(zones.map(({ zone }) => [zone, nothing()]));
  for (const { section, rows } of sections) {
    const owners = new Map((taken.get(section) ?? []).map((row) => [row.row, row.owners]));
    for (const { row, seats } of rows) {
      for (const { label, zone } of seats) {
        const counts = places.get(zone) ?? nothing();
        places.set(zone, counts);
        count(counts, owners.get(row)?.get(label));
      }
    }
  }
  return places;
}

const nothing = (): ZonePlaces => ({ capacity: 0, free: 0, blocked: 0, members: 0 });

function count(places: ZonePlaces, owner: string | undefined): void {
  if (owner === closedOwner) return;
  places.capacity += 1;
  if (owner === undefined) places.free += 1;
  else if (isBlockOwner(owner)) places.blocked += 1;
  else if (isMemberOwner(owner)) places.members += 1;
}
