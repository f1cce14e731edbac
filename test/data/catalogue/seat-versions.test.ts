import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as handleCreatePrice } from '../../../functions/api/catalogue/create-price.ts';
import { handle as handleUpdateEvent } from '../../../functions/api/catalogue/update-event.ts';
import { handle as handleEventSeats } from '../../../functions/api/events/retrieve-event-seats.ts';
import { auditSeats } from '../../../shared/data/audit/seats.ts';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { updateSeatMap } from '../../../shared/data/seat-maps/seat-maps.ts';
import { drawSection } from '../../../shared/data/seats/picture.ts';
import { readTakenSection } from '../../../shared/data/seats/rows.ts';
import { readZoneStocks } from '../../../shared/data/seats/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { EventRecord } from '../../../shared/domain/events/event.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import type { SeatMap } from '../../../shared/domain/seats/seat-map.ts';
import { createPrice } from '../../../shared/operations/catalogue/create-price.ts';
import { updateEvent } from '../../../shared/operations/catalogue/update-event.ts';
import { retrieveEventSeats } from '../../../shared/operations/events/retrieve-event-seats.ts';
import { decideSeats, noWishes } from '../../../shared/sales/baskets/seat-decision.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { checkoutDepsOf, noonUnix } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenSeatedEvent, givenSeats } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

type Body = Readonly<Record<string, unknown>>;
const orgId = 'org_theatre';
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
});

const update = ({ eventId }: EventRecord, body: Body) =>
  callHandler(
    updateEvent,
    handleUpdateEvent,
    { params: { event_id: String(eventId) }, body },
    { table, orgId, ifMatch: undefined },
  );
const newVersion = ({ seatingMapId }: EventRecord, map: SeatMap) =>
  updateSeatMap(table, orgId, seatingMapId ?? 0, { title: 'Hall', map, dryRun: false, ifMatch: undefined });
const seats = async ({ eventId }: EventRecord) => {
  const input = { params: { event_id: String(eventId) }, query: { section: 'Stalls' } };
  const { sections } = await callHandler(retrieveEventSeats, handleEventSeats, input, { table, orgId });
  return sections;
};
const offerOf = async ({ priceId }: PriceRecord) => {
  const offer = await readOffer(table, orgId, priceId);
  if (offer === undefined) throw new Error('The price is missing.');
  return offer;
};
const rowA = async ({ eventId }: EventRecord) => {
  const rows = await readTakenSection(table, orgId, { eventId, section: 'Stalls' });
  return rows.find(({ row }) => row === 'A')?.owners;
};

describe('a newer version of the seat map of an event', () => {
  it('is sold after update-event names it, and what was lost cannot be taken by who has read the old one', async () => {
    const { event, price } = await givenSeatedEvent(table, orgId);
    const deps = checkoutDepsOf(table, orgId);
    await givenSeats(deps, price, ['Stalls/A/1', 'Stalls/A/2']);
    const stale = await offerOf(price);
    await newVersion(event, aSeatMap([{ row: 'A', seats: '1-6' }]));
    expect(await update(event, { seat_map_version: 2 })).toMatchObject({ seat_map_version: 2 });
    expect(await seats(event)).toMatchObject([{ free: 4, rows: [{ row: 'A', seats: 'xx....' }] }]);
    const { basketId } = await openBasket(table, deps);
    const take = (offer: typeof stale) =>
      changeBasket(table, {
        orgId,
        basketId,
        decide: (basket) => {
          const item = { offer, quantity: 0, seats: ['Stalls/A/7', 'Stalls/A/8'], holders: [] };
          return decideSeats({ ...deps, isPublic: false }, basket, [item], noWishes);
        },
      });
    expect(await take(stale)).toMatchObject({ outcome: 'refused', refusal: { reason: 'seat_taken' } });
    const fresh = await offerOf(price);
    expect(await take(fresh)).toMatchObject({ outcome: 'refused', refusal: { reason: 'seat_unknown' } });
    expect(await auditSeats(table, { orgId, eventId: event.eventId }, noonUnix)).toEqual([]);
  });

  it('is counted by the names of the seats in a price list, though the picture is of the old one', async () => {
    const { event, price } = await givenSeatedEvent(table, orgId);
    await givenSeats(checkoutDepsOf(table, orgId), price, ['Stalls/B/1', 'Stalls/B/2']);
    await drawSection(table, orgId, event, 'Stalls');
    await newVersion(
      event,
      aSeatMap([
        { row: 'Front', seats: '1-3' },
        { row: 'A', seats: '1-8', zone: 'Boxes' },
        { row: 'B', seats: '1-4|5-8' },
      ]),
    );
    const free = await readZoneStocks(table, orgId, { ...event, seatingVersion: 2 }, Date.now());
    expect(free?.get('Stalls')).toEqual({ capacity: 11, avail: 9 });
    expect(free?.get('Boxes')).toEqual({ capacity: 8, avail: 8 });
  });

  it('that comes back opens the seats again', async () => {
    const { event, price } = await givenSeatedEvent(table, orgId);
    await newVersion(event, aSeatMap([{ row: 'A', seats: '1-6' }]));
    await update(event, { seat_map_version: 2 });
    await update(event, { seat_map_version: 1 });
    await givenSeats(checkoutDepsOf(table, orgId), price, ['Stalls/A/7', 'Stalls/A/8']);
    expect(await seats(event)).toMatchObject([{ free: 14 }]);
    expect(await auditSeats(table, { orgId, eventId: event.eventId }, noonUnix)).toEqual([]);
  });

  it('that loses a seat which is held or sold is refused, with its name, and nothing changes', async () => {
    const { event, price } = await givenSeatedEvent(table, orgId);
    await givenSeats(checkoutDepsOf(table, orgId), price, ['Stalls/A/7', 'Stalls/A/8']);
    await newVersion(event, aSeatMap([{ row: 'A', seats: '1-7' }]));
    await expect(update(event, { seat_map_version: 2 })).rejects.toMatchObject({
      code: 'already_sold',
      message: expect.stringContaining('Stalls/A/8'),
      details: [{ param: 'seat_map_version' }],
    });
    expect(new Set((await rowA(event))?.keys())).toEqual(new Set(['7', '8']));
    expect(await update(event, { title: 'Hamlet' })).toMatchObject({ seat_map_version: 1 });
  });

  it.each([
    ['does not exist', { seat_map_version: 9 }, 'resource_missing'],
    ['has no zone of a category', { seat_map_version: 2 }, 'zone_missing'],
  ])('that %s is refused', async (_what, body, code) => {
    const { event } = await givenSeatedEvent(table, orgId);
    await newVersion(event, aSeatMap([{ section: 'Circle', row: 'A', seats: '1-7' }]));
    await expect(update(event, body)).rejects.toMatchObject({ code });
  });
});

describe('update-event with dry_run', () => {
  it('finds zones without a price and prices without seats', async () => {
    const map = aSeatMap([
      { row: 'A', seats: '1-8' },
      { section: 'Circle', row: 'A', seats: '1-4' },
    ]);
    const { event } = await givenSeatedEvent(table, orgId, { map });
    const { eventId } = event;
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId, code: 'nowhere', zone: null });
    await givenPrice(table, orgId, { eventId, categoryId, title: 'Nowhere', capacity: null, seatsOnly: true });
    const { warnings } = await update(event, { dry_run: true, title: 'Checked' });
    expect(warnings).toEqual([
      { code: 'price_without_seats', message: expect.stringContaining('Nowhere'), param: 'zone' },
      { code: 'zone_without_price', message: expect.stringContaining('Circle, which has 4 seats'), param: null },
    ]);
    const params = { event_id: String(eventId) };
    const body = { title: 'Another', price: 10, price_category_id: categoryId, dry_run: true };
    const price = await callHandler(createPrice, handleCreatePrice, { params, body }, { table, orgId });
    expect(price).toMatchObject({ warnings: [{ code: 'price_without_seats', param: 'zone' }] });
  });

  it('finds nothing where every zone has a price and every price seats', async () => {
    const { event } = await givenSeatedEvent(table, orgId);
    expect(await update(event, { dry_run: true, title: 'Checked' })).toMatchObject({ warnings: [] });
  });
});
