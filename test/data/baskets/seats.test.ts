import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as handleItem } from '../../../functions/api/baskets/add-basket-item.ts';
import { handle as handleSeats } from '../../../functions/api/baskets/add-basket-seats.ts';
import { handle as handleRemove } from '../../../functions/api/baskets/remove-basket-line.ts';
import { handle as handlePrices } from '../../../functions/api/events/list-event-prices.ts';
import { handle as handleEventSeats } from '../../../functions/api/events/retrieve-event-seats.ts';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { updateSoldOut } from '../../../shared/data/events/sold-out.ts';
import { drawSection } from '../../../shared/data/seats/picture.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { addBasketItem } from '../../../shared/operations/baskets/add-basket-item.ts';
import { addBasketSeats } from '../../../shared/operations/baskets/add-basket-seats.ts';
import { removeBasketLine } from '../../../shared/operations/baskets/remove-basket-line.ts';
import { listEventPrices } from '../../../shared/operations/events/list-event-prices.ts';
import { retrieveEventSeats } from '../../../shared/operations/events/retrieve-event-seats.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { aHallForWheelchairs, aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { findingsOf } from '../../support/audit.ts';
import { addItem, checkOutWith, givenOnSale, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { addSeatsTo, givenSeatedEvent, givenSeats, rowsNow } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

type Body = Readonly<Record<string, unknown>>;
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const hall = aSeatMap([
  { row: 'A', seats: '1-8' },
  { row: 'B', seats: '1-8' },
  { section: 'Circle', row: 'A', seats: '1-4' },
]);

async function givenHall(map = hall) {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  return { deps, map, ...(await givenSeatedEvent(table, deps.orgId, { map })) };
}

const basketOf = async (deps: TestCheckoutDeps) => String((await openBasket(table, deps)).basketId);
const context = (deps: TestCheckoutDeps) => ({ table, orgId: deps.orgId, nowMs: deps.nowUnix * 1000 });
const add = (deps: TestCheckoutDeps, basket_id: string, body: Body) =>
  callHandler(addBasketSeats, handleSeats, { params: { basket_id }, body }, context(deps));
const seatsOf = ({ items }: Body): unknown => (Array.isArray(items) ? items.map(({ seats }) => seats) : undefined);

describe('seats in a basket', () => {
  it('seats that a buyer picks are those of the basket, and taken for everybody else', async () => {
    const { deps, map, event, price } = await givenHall();
    const basketId = await basketOf(deps);
    const items = [{ price_id: price.priceId, seats: ['Stalls/A/1', 'Stalls/A/2'] }];
    const basket = await add(deps, basketId, { items });
    expect(basket).toMatchObject({ items: [{ quantity: 2, seats: ['Stalls/A/1', 'Stalls/A/2'] }], total: 64.3 });
    expect(await rowsNow(table, deps.orgId, event.eventId, map)).toEqual(['xx......', '........', '....']);
    await expect(add(deps, await basketOf(deps), { items })).rejects.toMatchObject({
      code: 'seat_taken',
      seats: { seats: ['Stalls/A/1', 'Stalls/A/2'], rows: [{ section: 'Stalls', row: 'A', seats: 'xx......' }] },
    });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('the best seats are together, adult and junior side by side in the order given', async () => {
    const { deps, price } = await givenHall();
    const junior = await givenPrice(table, deps.orgId, { ...price, code: 'junior', capacity: null, seatsOnly: true });
    const items = [
      { price_id: price.priceId, quantity: 1 },
      { price_id: junior.priceId, quantity: 2 },
    ];
    const taken = seatsOf(await add(deps, await basketOf(deps), { items }));
    expect(taken).toEqual([[expect.any(String)], [expect.any(String), expect.any(String)]]);
    const [rows, places] = [new Set<string>(), [] as number[]];
    for (const seat of (taken as string[][]).flat()) {
      rows.add(seat.split('/')[1] ?? '');
      places.push(Number(seat.split('/')[2]));
    }
    expect(rows.size).toBe(1);
    expect(places).toEqual([places[0], (places[0] ?? 0) + 1, (places[0] ?? 0) + 2]);
  });

  it('add-basket-item takes the best seat, too', async () => {
    const { deps, price } = await givenHall();
    const params = { basket_id: await basketOf(deps) };
    const body = { price_id: String(price.priceId), quantity: 2 };
    expect(seatsOf(await callHandler(addBasketItem, handleItem, { params, body }, context(deps)))).toMatchObject([
      [expect.stringMatching(/^Stalls/), expect.stringMatching(/^Stalls/)],
    ]);
  });

  it('seats of a basket become those of the tickets, and are free again after a refund', async () => {
    const { deps, map, event, price } = await givenHall();
    const { basketId } = await givenSeats(deps, price, ['Stalls/B/3', 'Stalls/B/4']);
    const order = await checkOutWith(deps, basketId);
    if (order.outcome !== 'confirmed') throw new Error(order.outcome);
    const { tickets } = order.placed;
    expect(tickets).toMatchObject([
      { sectionLabel: 'Stalls', seatRow: 'B', seatTitle: '3', takesSeat: true },
      { sectionLabel: 'Stalls', seatRow: 'B', seatTitle: '4', takesSeat: true },
    ]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await cancelOrRefundTickets(deps, basketId, { tickets: [tickets[0]?.ticketId ?? 0], to: 'cancelled' });
    expect(await rowsNow(table, deps.orgId, event.eventId, map)).toEqual(['........', '...x....', '....']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('seats of a basket are free again when a line is removed, and when the basket expires', async () => {
    const { deps, map, event, price } = await givenHall();
    const basket_id = await basketOf(deps);
    await add(deps, basket_id, { items: [{ price_id: price.priceId, seats: ['Stalls/A/1'] }] });
    await add(deps, basket_id, { items: [{ price_id: price.priceId, seats: ['Stalls/A/2'] }] });
    const params = { basket_id, line_id: '1' };
    await callHandler(removeBasketLine, handleRemove, { params }, context(deps));
    expect(await rowsNow(table, deps.orgId, event.eventId, map)).toMatchObject(['.x......', {}, {}]);
    deps.nowUnix += basketSeconds + 1;
    await sweepBaskets(deps);
    expect(await rowsNow(table, deps.orgId, event.eventId, map)).toMatchObject(['........', {}, {}]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it.each([
    ['a seat that the map does not have', ['Stalls/A/99'], 'seat_unknown'],
    ['a row that the map does not have', ['Stalls/Z/1'], 'seat_unknown'],
    ['a text that is not the name of a seat', ['A1'], 'seat_unknown'],
    ['a seat of another zone', ['Circle/A/1'], 'seat_wrong_zone'],
    ['a seat twice', ['Stalls/A/1', 'Stalls/A/1'], 'parameter_invalid'],
    ['a single seat that is left', ['Stalls/A/2', 'Stalls/A/3'], 'leaves_single_seat'],
  ])('a wish for %s is refused, and nothing is held', async (_what, seats, code) => {
    const { deps, map, event, price } = await givenHall();
    const items = [{ price_id: price.priceId, seats }];
    await expect(add(deps, await basketOf(deps), { items })).rejects.toMatchObject({ code });
    expect(await rowsNow(table, deps.orgId, event.eventId, map)).toEqual(['........', '........', '....']);
  });

  it('seats may leave a single seat where the event allows it, or nothing avoids it', async () => {
    const { deps, price } = await givenHall(aSeatMap([{ row: 'A', seats: '1-3' }]));
    await givenSeats(deps, price, ['Stalls/A/1', 'Stalls/A/2']);
    const map = aSeatMap([{ row: 'A', seats: '1-8' }]);
    const allowed = await givenSeatedEvent(table, deps.orgId, { map, allowSingleSeats: true });
    expect((await givenSeats(deps, allowed.price, ['Stalls/A/2', 'Stalls/A/3'])).lines).toHaveLength(1);
  });

  it('seats for a companion are sold with the wheelchair place, also at checkout', async () => {
    const { deps, price } = await givenHall(aHallForWheelchairs);
    const basket_id = await basketOf(deps);
    const pick = (...seats: string[]) => add(deps, basket_id, { items: [{ price_id: price.priceId, seats }] });
    await expect(pick('Stalls/B/2')).rejects.toMatchObject({ code: 'companion_only' });
    await pick('Stalls/B/1');
    await pick('Stalls/B/2');
    await callHandler(removeBasketLine, handleRemove, { params: { basket_id, line_id: '1' } }, context(deps));
    expect(await checkOutWith(deps, Number(basket_id))).toMatchObject({ refusal: { reason: 'companion_only' } });
    const accessible = { items: [{ price_id: price.priceId, quantity: 2 }], accessible: 1 };
    const params = { basket_id, line_id: '2' };
    await callHandler(removeBasketLine, handleRemove, { params }, context(deps));
    expect(seatsOf(await add(deps, basket_id, accessible))).toEqual([['Stalls/B/1', 'Stalls/B/2']]);
    // Ordinary seats are left, and no wheelchair place.
    await expect(add(deps, await basketOf(deps), accessible)).rejects.toMatchObject({
      details: [{ code: 'accessible_sold_out', param: 'accessible' }],
    });
  });

  it('seats are refused if they are not together, and sold out only if too few are left', async () => {
    const { deps, price } = await givenHall(aSeatMap([{ row: 'A', seats: '1-2|3-4' }]));
    const best = async (quantity: number, more: Body = {}) =>
      add(deps, await basketOf(deps), { items: [{ price_id: price.priceId, quantity }], ...more });
    await expect(best(3)).rejects.toMatchObject({ code: 'seats_not_together' });
    await expect(best(5)).rejects.toMatchObject({ details: [{ code: 'sold_out', param: 'quantity' }] });
    const message = expect.stringContaining('in the section Stalls.');
    const inSection = { details: [{ code: 'sold_out', param: 'section', message }] };
    await expect(best(5, { section: 'Stalls' })).rejects.toMatchObject(inSection);
    await expect(best(2, { section: 'Nowhere' })).rejects.toMatchObject({ code: 'resource_missing' });
    expect(await best(3, { together: false })).toMatchObject({ items: [{ quantity: 3 }] });
  });

  it('seats of an event without a seat map are not sold', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const items = [{ price_id: price.priceId, quantity: 1 }];
    await expect(add(deps, await basketOf(deps), { items })).rejects.toMatchObject({ code: 'price_not_on_sale' });
  });
});

it('seats of one row cost the writes of a hold on a price', async () => {
  const { deps, price } = await givenHall();
  const plain = await givenOnSale(table, deps.orgId, { capacity: 100 });
  const writes = async (work: (basketId: number) => Promise<unknown>) => {
    const { basketId } = await openBasket(table, deps);
    table.meter.reset();
    await work(basketId);
    return table.meter.writeUnits;
  };
  await givenSeats(deps, price, ['Stalls/A/1', 'Stalls/A/2']);
  const seats = ['Stalls/A/3', 'Stalls/A/4', 'Stalls/A/5', 'Stalls/A/6'];
  const ofSeats = await writes((basketId) => addSeatsTo(deps, basketId, price, seats));
  expect(ofSeats).toBe(await writes((basketId) => addItem(deps, basketId, plain.price, 4)));
  const best = await writes((basketId) => addSeatsTo(deps, basketId, price, 4));
  expect(best).toBe(ofSeats);
});

it('retrieve-event-seats shows what is free, and the prices of a section', async () => {
  const { deps, event, price } = await givenHall();
  await givenSeats(deps, price, ['Stalls/A/1', 'Stalls/A/2']);
  const show = (query: Body = {}) =>
    callHandler(
      retrieveEventSeats,
      handleEventSeats,
      { params: { event_id: String(event.eventId) }, query },
      context(deps),
    );
  await drawSection(table, deps.orgId, event, 'Stalls');
  expect(await show()).toMatchObject({
    seat_map_id: event.seatingMapId,
    version: 1,
    sections: [
      { section: 'Stalls', zone: 'Stalls', free: 14, rows: [{ row: 'A', free: 6, seats: 'xx......' }, { row: 'B' }] },
      { section: 'Circle', free: 4 },
    ],
  });
  const { sections } = await show({ section: 'Stalls' });
  expect(sections).toMatchObject([
    { price_ids: [price.priceId], rows: [{ labels: expect.arrayContaining(['1', '8']) }, {}] },
  ]);
  expect(await show({ section: 'Nowhere' })).toMatchObject({ sections: [] });
});

it('the seats of its zone are the capacity of a price, and sold_out follows them', async () => {
  const { deps, event, price } = await givenHall(aSeatMap([{ row: 'A', seats: '1-4' }]));
  await givenPriceCategory(table, deps.orgId, { eventId: event.eventId, code: 'none', status: 'inactive' });
  const prices = async () => {
    const params = { event_id: String(event.eventId) };
    return (await callHandler(listEventPrices, handlePrices, { params }, context(deps))).data;
  };
  expect(await prices()).toMatchObject([{ capacity: 4, available: 4, status: 'active' }]);
  await givenSeats(deps, price, 4);
  expect(await prices()).toMatchObject([{ capacity: 4, available: 0, status: 'sold_out' }]);
  await updateSoldOut(table, deps.orgId, event.eventId);
  expect(await readEvent(table, deps.orgId, event.eventId)).toMatchObject({ soldOut: true });
});
