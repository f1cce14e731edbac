import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as handleSeats } from '../../../functions/api/baskets/add-basket-seats.ts';
import { handle as handleUpdate } from '../../../functions/api/catalogue/update-event.ts';
import { handle as handleCreate } from '../../../functions/api/seat-maps/create-seat-block.ts';
import { handle as handleDelete } from '../../../functions/api/seat-maps/delete-seat-block.ts';
import { handle as handleList } from '../../../functions/api/seat-maps/list-seat-blocks.ts';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { updateSoldOut } from '../../../shared/data/events/sold-out.ts';
import { releaseOverdueBlocks } from '../../../shared/data/seats/blocks.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { addBasketSeats } from '../../../shared/operations/baskets/add-basket-seats.ts';
import { updateEvent } from '../../../shared/operations/catalogue/update-event.ts';
import { createSeatBlock } from '../../../shared/operations/seat-maps/create-seat-block.ts';
import { deleteSeatBlock } from '../../../shared/operations/seat-maps/delete-seat-block.ts';
import { listSeatBlocks } from '../../../shared/operations/seat-maps/list-seat-blocks.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aSeatMap, givenSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenSeatedEvent, givenSeats, rowsNow } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const hall = aSeatMap([
  { row: 'A', seats: '1-4' },
  { row: 'B', seats: '1-4' },
]);

async function givenHall(map = hall, statusId: 0 | 1 = 1) {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  const seated = await givenSeatedEvent(table, deps.orgId, { map, statusId });
  const params = { event_id: String(seated.event.eventId) };
  const context = () => ({ table, orgId: deps.orgId, nowMs: deps.nowUnix * 1000 });
  const block = (body: Readonly<Record<string, unknown>>) =>
    callHandler(createSeatBlock, handleCreate, { params, body }, context());
  const list = (query = {}) => callHandler(listSeatBlocks, handleList, { params, query }, context());
  const end = (id: unknown) =>
    callHandler(deleteSeatBlock, handleDelete, { params: { ...params, seat_block_id: String(id) } }, context());
  const rows = () => rowsNow(table, deps.orgId, seated.event.eventId, map);
  return { deps, ...seated, params, context, block, list, end, rows };
}

async function pick(deps: TestCheckoutDeps, body: Readonly<Record<string, unknown>>) {
  const params = { basket_id: String((await openBasket(table, deps)).basketId) };
  return callHandler(addBasketSeats, handleSeats, { params, body }, { ...deps, table, nowMs: deps.nowUnix * 1000 });
}

describe('a block of seats', () => {
  it('takes its seats out of the sale until it is deleted', async () => {
    const { deps, price, block, list, end, rows } = await givenHall();
    const blocked = await block({ seats: ['Stalls/A/2', 'Stalls/B/1'], reason: 'Camera position' });
    expect(blocked).toMatchObject({ seats: ['Stalls/A/2', 'Stalls/B/1'], reason: 'Camera position' });
    expect(await rows()).toEqual(['.x..', 'x...']);
    await expect(pick(deps, { items: [{ price_id: price.priceId, seats: ['Stalls/A/2'] }] })).rejects.toMatchObject({
      code: 'seat_taken',
      seats: { seats: ['Stalls/A/2'] },
    });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    expect(await list()).toMatchObject({ has_more: false, data: [blocked] });
    expect(await end(blocked.seat_block_id)).toEqual({ seat_block_id: blocked.seat_block_id, deleted: true });
    expect(await rows()).toEqual(['....', '....']);
    expect(await list()).toMatchObject({ data: [] });
    await expect(end(blocked.seat_block_id)).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('ends at release_unix', async () => {
    const { deps, block, list, rows } = await givenHall();
    await block({ seats: ['Stalls/A/2'], release_unix: deps.nowUnix + 60 });
    await block({ seats: ['Stalls/A/3'], release_unix: deps.nowUnix + 61 });
    expect(await releaseOverdueBlocks(table, deps.nowUnix + 60)).toEqual([]);
    expect(await rows()).toEqual(['..x.', '....']);
    expect(await list()).toMatchObject({ data: [{ seats: ['Stalls/A/3'] }] });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is a wall for the rule about single seats, and counts for sold_out', async () => {
    const { deps, event, price, block } = await givenHall();
    await block({ seats: ['Stalls/A/4', 'Stalls/B/1', 'Stalls/B/2', 'Stalls/B/3', 'Stalls/B/4'] });
    await expect(pick(deps, { items: [{ price_id: price.priceId, seats: ['Stalls/A/2'] }] })).rejects.toMatchObject({
      code: 'leaves_single_seat',
    });
    await pick(deps, { items: [{ price_id: price.priceId, quantity: 3 }] });
    await updateSoldOut(table, deps.orgId, event.eventId);
    expect(await readEvent(table, deps.orgId, event.eventId)).toMatchObject({ soldOut: true });
  });

  it('takes all of its seats or none', async () => {
    const { deps, price, block, list, rows } = await givenHall();
    await givenSeats(deps, price, ['Stalls/B/3', 'Stalls/B/4']);
    await expect(block({ seats: ['Stalls/A/1', 'Stalls/B/3'] })).rejects.toMatchObject({
      code: 'seat_taken',
      seats: { seats: ['Stalls/B/3'], rows: [{ row: 'B', seats: '..xx' }] },
    });
    await expect(block({ seats: ['Stalls/A/1', 'Stalls/A/9'] })).rejects.toMatchObject({ code: 'seat_unknown' });
    await expect(block({ seats: ['Stalls/A/1', 'Stalls/A/1'] })).rejects.toMatchObject({ code: 'parameter_invalid' });
    await expect(block({ seats: ['Stalls/A/1'], release_unix: deps.nowUnix })).rejects.toMatchObject({
      details: [{ code: 'parameter_invalid', param: 'release_unix' }],
    });
    expect(await rows()).toEqual(['....', '..xx']);
    expect(await list()).toMatchObject({ data: [] });
  });

  it('has seats of at most 90 rows', async () => {
    const names = Array.from({ length: 91 }, (_, index) => String(index + 1));
    const { deps, block } = await givenHall(aSeatMap(names.map((row) => ({ row, seats: '1-2' }))));
    const seats = names.map((row) => `Stalls/${row}/1`);
    await expect(block({ seats })).rejects.toMatchObject({ details: [{ code: 'parameter_invalid', param: 'seats' }] });
    await block({ seats: seats.slice(1) });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('keeps the seat map of a draft', async () => {
    const { deps, params, context, block } = await givenHall(hall, 0);
    const other = await givenSeatMap(table, deps.orgId, { code: 'other-hall' });
    await block({ seats: ['Stalls/A/1'] });
    const body = { seat_map_id: other.seatMapId };
    await expect(callHandler(updateEvent, handleUpdate, { params, body }, context())).rejects.toMatchObject({
      code: 'already_sold',
    });
    await callHandler(updateEvent, handleUpdate, { params, body: { timezone: 'Europe/Berlin' } }, context());
  });
});
