import { updateSeatMap } from '../../../shared/data/seat-maps/seat-maps.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { aHallForWheelchairs } from '../../../tools/fixtures/seat-maps.ts';
import type { TestCheckoutDeps } from '../baskets.ts';
import { givenSeatedEvent, givenSeats } from '../seats.ts';

/** A seat map, an event that sells its seats, and an open basket with two of them. */
export async function writeSeats(table: Table, deps: TestCheckoutDeps) {
  const { event, price } = await givenSeatedEvent(table, deps.orgId, { map: aHallForWheelchairs, code: 'show' });
  await givenSeats(deps, price, ['Stalls/B/1', 'Stalls/B/2']);
  return { price, seatMapId: event.seatingMapId ?? 0 };
}

/** Changes the rows of `writeSeats`. */
export async function rewriteSeats(
  table: Table,
  deps: TestCheckoutDeps,
  { price, seatMapId }: Awaited<ReturnType<typeof writeSeats>>,
): Promise<void> {
  const again = { title: 'Another title', map: aHallForWheelchairs, dryRun: false, ifMatch: undefined };
  await updateSeatMap(table, deps.orgId, seatMapId, again);
  await givenSeats(deps, price, ['Stalls/B/3', 'Stalls/B/4']);
}
