import { beforeAll, expect, it, vi } from 'vitest';
import { handle as handleCopy } from '../../../functions/api/catalogue/copy-event.ts';
import { handle as handleCreateEvent } from '../../../functions/api/catalogue/create-event.ts';
import { handle as handleCreatePrice } from '../../../functions/api/catalogue/create-price.ts';
import { handle as handleCategory } from '../../../functions/api/catalogue/create-price-category.ts';
import { handle as handleUpdateEvent } from '../../../functions/api/catalogue/update-event.ts';
import { handle as handleUpdatePrice } from '../../../functions/api/catalogue/update-price.ts';
import { handle as handleUpdateCategory } from '../../../functions/api/catalogue/update-price-category.ts';
import { handle as handleEventSeats } from '../../../functions/api/events/retrieve-event-seats.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { updateSeatMap } from '../../../shared/data/seat-maps/seat-maps.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { copyEvent } from '../../../shared/operations/catalogue/copy-event.ts';
import { createEvent } from '../../../shared/operations/catalogue/create-event.ts';
import { createPrice } from '../../../shared/operations/catalogue/create-price.ts';
import { createPriceCategory } from '../../../shared/operations/catalogue/create-price-category.ts';
import { updateEvent } from '../../../shared/operations/catalogue/update-event.ts';
import { updatePrice } from '../../../shared/operations/catalogue/update-price.ts';
import { updatePriceCategory } from '../../../shared/operations/catalogue/update-price-category.ts';
import { retrieveEventSeats } from '../../../shared/operations/events/retrieve-event-seats.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { aSeatMap, givenSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { checkoutDepsOf } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenSeats } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

type Body = Readonly<Record<string, unknown>>;
const orgId = 'org_theatre';
let table: Table;
let seat_map_id: number;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ seatMapId: seat_map_id } = await givenSeatMap(table, orgId));
});

const context = () => ({ table, orgId });
const show = { title: 'Hamlet', utc_event_start_date: '2199-10-31T09:30:00Z', currency: 'AUD', reserved_seating: true };
const create = (body: Body) => callHandler(createEvent, handleCreateEvent, { body: { ...show, ...body } }, context());
const update = ({ event_id }: Body, body: Body) =>
  callHandler(updateEvent, handleUpdateEvent, { params: { event_id }, body }, context());
const category = ({ event_id }: Body, body: Body) =>
  callHandler(
    createPriceCategory,
    handleCategory,
    { params: { event_id }, body: { title: 'Stalls', ...body } },
    context(),
  );
const price = ({ event_id }: Body, { price_category_id }: Body, body: Body = {}) =>
  callHandler(
    createPrice,
    handleCreatePrice,
    { params: { event_id }, body: { price_category_id, title: 'Adult', price: 40, ...body } },
    context(),
  );

it('an event sells the seats of its map, in the version that it was made with', async () => {
  const event = await create({ seat_map_id });
  expect(event).toMatchObject({ seat_map_id, seat_map_version: 1, allow_single_seats: false });
  const stalls = await category(event, { zone: 'Stalls' });
  expect(stalls).toMatchObject({ zone: 'Stalls' });
  expect(await price(event, stalls)).toMatchObject({ capacity: 16, available: 16 });
  const smaller = aSeatMap([{ row: 'A', seats: '1-2' }]);
  await updateSeatMap(table, orgId, seat_map_id, { title: 'Hall', map: smaller, dryRun: false, ifMatch: undefined });
  expect(await update(event, { event_status_id: '1' })).toMatchObject({ seat_map_version: 1, event_status_id: '1' });
  const copied = await callHandler(
    copyEvent,
    handleCopy,
    { params: { event_id: event.event_id }, body: { utc_event_start_date: '2199-11-30T09:30:00Z' } },
    context(),
  );
  expect(copied).toMatchObject({ seat_map_id, seat_map_version: 1, event_status_id: '0' });
  const params = { event_id: copied.event_id };
  const seats = await callHandler(
    retrieveEventSeats,
    handleEventSeats,
    { params, query: { section: 'Stalls' } },
    context(),
  );
  expect(seats).toMatchObject({
    sections: [{ free: 16, zones: [{ zone: 'Stalls', price_ids: [expect.any(Number)] }] }],
  });
});

it.each([
  ['a map without reserved seating', { reserved_seating: false }, 'parameter_conflict'],
  ['a map that does not exist', { seat_map_id: 7 }, 'resource_missing'],
])('create-event refuses %s', async (_what, body, code) => {
  await expect(create({ seat_map_id, ...body })).rejects.toMatchObject({ code });
});

it('reserved seating needs a map; an imported event without one, whose seats are sold elsewhere, can still be changed', async () => {
  const needed = { code: 'parameter_missing', details: [{ param: 'seat_map_id' }] };
  await expect(create({})).rejects.toMatchObject(needed);
  const plain = await create({ reserved_seating: false });
  await expect(update(plain, { reserved_seating: true })).rejects.toMatchObject(needed);
  expect(await update(plain, { reserved_seating: true, seat_map_id })).toMatchObject({ seat_map_id });
  await expect(update(plain, { seat_map_id: null })).rejects.toMatchObject(needed);
  const { eventId } = await givenEvent(table, orgId, { reservedSeating: true, seatingMapId: null, statusId: 0 });
  const imported = { event_id: String(eventId) };
  expect(await update(imported, { title: 'Lear', reserved_seating: true })).toMatchObject({ title: 'Lear' });
  expect(await update(imported, { seat_map_id })).toMatchObject({ seat_map_id, reserved_seating: true });
  await expect(update(imported, { seat_map_id: null })).rejects.toMatchObject(needed);
});

it('a zone must be one of the map, and every active category has one when the event is published', async () => {
  const event = await create({ seat_map_id });
  await expect(category(event, { zone: 'Nowhere' })).rejects.toMatchObject({ code: 'resource_missing' });
  const { price_category_id } = await category(event, {});
  await expect(update(event, { event_status_id: '1' })).rejects.toMatchObject({ code: 'zone_missing' });
  const params = { event_id: event.event_id, price_category_id: String(price_category_id) };
  const zoned = await callHandler(
    updatePriceCategory,
    handleUpdateCategory,
    { params, body: { zone: 'Stalls' } },
    context(),
  );
  expect(zoned).toMatchObject({ zone: 'Stalls', title: 'Stalls' });
  expect(await update(event, { event_status_id: '1' })).toMatchObject({ event_status_id: '1' });
  await expect(update(event, { seat_map_id: null, reserved_seating: false })).rejects.toMatchObject({
    code: 'already_sold',
  });
});

it('what somebody has taken keeps the event published, and its price without a capacity', async () => {
  const event = await create({ seat_map_id, event_status_id: '0' });
  const stalls = await category(event, { zone: 'Stalls' });
  const { price_id } = await price(event, stalls);
  await update(event, { event_status_id: '1' });
  const offer = await readOffer(table, orgId, Number(price_id));
  if (offer === undefined) throw new Error('The price is missing.');
  const params = { event_id: event.event_id, price_id: String(price_id) };
  const limit = (capacity: number | null) =>
    callHandler(updatePrice, handleUpdatePrice, { params, body: { capacity } }, context());
  expect(await limit(1)).toMatchObject({ capacity: 1, available: 1 });
  expect(await limit(null)).toMatchObject({ capacity: 2, available: 2 });
  await givenSeats(checkoutDepsOf(table, orgId), offer.price, 1);
  await expect(limit(1)).rejects.toMatchObject({ code: 'stocks_taken' });
  await expect(update(event, { event_status_id: '0' })).rejects.toMatchObject({ code: 'already_sold' });
});
