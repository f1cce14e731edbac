import { blockSeats } from '../../../shared/catalogue/seat-blocks.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { changeMember } from '../../../shared/data/members/change.ts';
import { updateSeatMap } from '../../../shared/data/seat-maps/seat-maps.ts';
import { deleteSeatBlock } from '../../../shared/data/seats/blocks.ts';
import { drawSection } from '../../../shared/data/seats/picture.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noSideEffects } from '../../../shared/data/table/transact.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { aHallForWheelchairs } from '../../../tools/fixtures/seat-maps.ts';
import type { TestCheckoutDeps } from '../baskets.ts';
import { memberDraft } from '../membership-members.ts';
import { givenSeatedEvent, givenSeats } from '../seats.ts';

/** A seat map, an event that sells its seats, an open basket with two of them, and a block of two others. */
export async function writeSeats(table: Table, deps: TestCheckoutDeps) {
  const { event, price } = await givenSeatedEvent(table, deps.orgId, { map: aHallForWheelchairs, code: 'show' });
  await givenSeats(deps, price, ['Stalls/B/1', 'Stalls/B/2']);
  const { eventId, seatingMapId } = event;
  const own = {
    seatMapId: seatingMapId,
    ownSeatMapId: seatingMapId,
    seatSection: 'Stalls',
    seatRow: 'A',
    seatTitle: '1',
  };
  const { member } = await savedMember(table, deps.orgId, memberDraft('seated', own), deps.nowUnix);
  const times = { createdUnix: deps.nowUnix, releaseUnix: deps.nowUnix + 86_400 };
  const block = { eventId, seats: ['Stalls/A/7', 'Stalls/A/8'], reason: 'Camera position', ...times };
  const blocked = await blockSeats(table, deps.orgId, block, noSideEffects);
  await drawSection(table, deps.orgId, event, 'Stalls');
  return { price, seatMapId: seatingMapId ?? 0, blocked, member };
}

/** Changes the rows of `writeSeats`. */
export async function rewriteSeats(
  table: Table,
  deps: TestCheckoutDeps,
  { price, seatMapId, blocked, member }: Awaited<ReturnType<typeof writeSeats>>,
): Promise<void> {
  const again = { title: 'Another title', map: aHallForWheelchairs, dryRun: false, ifMatch: undefined };
  await updateSeatMap(table, deps.orgId, seatMapId, again);
  await givenSeats(deps, price, ['Stalls/B/3', 'Stalls/B/4']);
  const { memberId } = member;
  const change = () => ({ seatTitle: '2' });
  await changeMember(table, { orgId: deps.orgId, memberId, nowUnix: deps.nowUnix, change });
  const event = await readEvent(table, deps.orgId, price.eventId);
  if (event !== undefined) await drawSection(table, deps.orgId, event, 'Stalls');
  if (blocked.outcome === 'created') await deleteSeatBlock(table, deps.orgId, blocked.block);
}
