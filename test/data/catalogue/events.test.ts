import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleCreate } from '../../../functions/api/catalogue/create-event.ts';
import { handle as handleUpdate } from '../../../functions/api/catalogue/update-event.ts';
import { saveEvent } from '../../../shared/catalogue/save-event.ts';
import { saveVenue } from '../../../shared/catalogue/save-venue.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { takeStock } from '../../../shared/data/prices/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { createEvent } from '../../../shared/operations/catalogue/create-event.ts';
import { updateEvent } from '../../../shared/operations/catalogue/update-event.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { callHandler } from '../../support/call-handler.ts';
import { announcedOf } from '../../support/feed.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_club';
let table: Table;
let codes = 0;

const final = { title: 'Cup final', utc_event_start_date: '2026-10-31T09:30:00Z', currency: 'AUD' };

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await saveVenue({ table, orgId, nowUnix: 1 }, { venueId: 'park', name: 'Harbour Park' });
  await saveVenue({ table, orgId, nowUnix: 1 }, { venueId: 'arena', name: 'City Arena' });
});

const create = (body: Record<string, unknown>, query = {}) =>
  callHandler(createEvent, handleCreate, { body: { ...final, ...body }, query }, { table, orgId });

const update = (event: { readonly event_id?: unknown }, body: Record<string, unknown>, ifMatch?: number) =>
  callHandler(updateEvent, handleUpdate, { params: { event_id: event.event_id }, body }, { table, orgId, ifMatch });

const refused = (code: string, param?: string) => ({
  code,
  details: [expect.objectContaining({ code, ...(param !== undefined && { param }) })],
});

async function givenSoldEvent() {
  codes += 1;
  const event = await create({ code: `sold-${codes}`, event_status_id: 1 });
  const eventId = Number(event.event_id);
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const price = await givenPrice(table, orgId, { eventId, categoryId });
  return { event, eventId, price };
}

describe('create-event', () => {
  it('create-event returns the event with its defaults', async () => {
    expect(await create({ code: 'final', venue_id: 'park' })).toMatchObject({
      code: 'final',
      version: 1,
      title: 'Cup final',
      url_string: 'cup-final',
      venue_name: 'Harbour Park',
      timezone: 'Australia/Melbourne',
      event_status_id: '0',
      public_event: true,
    });
  });

  it('makes up a code if none is given', async () => {
    const [one, other] = [await create({}), await create({})];
    expect(one.code).not.toBe(other.code);
    expect(one.event_id).not.toBe(other.event_id);
  });

  it('refuses a code that exists, and changes nothing', async () => {
    const { event_id } = await create({ code: 'taken' });
    await expect(create({ code: 'taken', title: 'Other' })).rejects.toMatchObject(refused('code_taken', 'code'));
    expect(await readEvent(table, orgId, Number(event_id))).toMatchObject({ title: 'Cup final', version: 1 });
  });

  it.each([
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['currency', { currency: 'XYZ' }],
    // At 2 o'clock on that day, the clocks in Berlin are set to 3 o'clock.
    ['utc_event_start_date', { utc_event_start_date: '2026-03-29T02:30:00+01:00', timezone: 'Europe/Berlin' }],
    ['utc_event_start_date', { utc_event_start_date: '2026-03-29T02:30:00+02:00', timezone: 'Europe/Berlin' }],
  ])('refuses a %s that does not exist', async (param, body) => {
    await expect(create(body)).rejects.toMatchObject(refused('parameter_invalid', param));
  });

  it('accepts a start with the offset of the time zone', async () => {
    const start = { utc_event_start_date: '2026-03-29T03:30:00+02:00', timezone: 'Europe/Berlin' };
    expect(await create(start)).toMatchObject({ utc_event_start_date: '2026-03-29T01:30:00Z' });
  });

  it.each([
    ['venue_id', { venue_id: 'nowhere' }],
    ['membership_seat_map_id', { membership_seat_map_id: 7 }],
  ])('refuses a %s that does not exist', async (param, body) => {
    await expect(create(body)).rejects.toMatchObject(refused('resource_missing', param));
  });

  it('writes nothing with dry_run, in the query or the body', async () => {
    const checked = await create({ code: 'dry' }, { dry_run: true });
    expect(checked).toMatchObject({ code: 'dry', warnings: expect.any(Array) });
    await create({ code: 'dry', dry_run: true });
    expect(await readEvent(table, orgId, Number(checked.event_id))).toBeUndefined();
  });
});

describe('update-event', () => {
  it('changes the given fields, clears with null and leaves the others', async () => {
    const event = await create({ code: 'moved', venue_id: 'park', banner_image: 'https://example.com/a.jpg' });
    const moved = await update(event, { utc_event_start_date: '2026-11-01T04:00:00Z', banner_image: null });
    expect(moved).toMatchObject({
      ...event,
      version: 2,
      banner_image: null,
      utc_event_start_date: '2026-11-01T04:00:00Z',
      formatted_full_event_start_date: 'Sunday 1 November 2026, 3:00 pm',
      formatted_event_start_date_date: '1',
      formatted_event_start_date_day: 'Sunday',
      formatted_event_start_date_month: 'November',
      formatted_event_start_date_time: '3:00 pm',
    });
  });

  it('refuses a version that is no longer current, and loses nothing of the first change', async () => {
    const event = await create({ code: 'edited' });
    await update(event, { title: 'First' }, 1);
    await expect(update(event, { title: 'Second' }, 1)).rejects.toMatchObject(refused('version_conflict', 'If-Match'));
    expect(await readEvent(table, orgId, Number(event.event_id))).toMatchObject({ title: 'First', version: 2 });
    expect(await update(event, { title: 'Second' }, 2)).toMatchObject({ title: 'Second', version: 3 });
  });

  it('announces what changed and what was before, in the transaction of the change', async () => {
    const event = await create({ code: 'announced' });
    await update(event, { title: 'Final, moved', utc_event_start_date: '2026-11-01T04:00:00Z' });
    await update(event, { title: 'Final, moved' });
    const about = (await announcedOf(table, orgId)).filter(
      ({ data }) => 'event' in data && data.event.event_id === event.event_id,
    );
    expect(about.map(({ type, data }) => ({ type, ...('changed' in data && { was: data.previous }) }))).toEqual([
      { type: 'event.created' },
      { type: 'event.updated', was: { title: 'Cup final', utc_event_start_date: '2026-10-31T09:30:00Z' } },
    ]);
  });

  it('an event that moves to another venue says the id and the name of the venue that it had', async () => {
    const event = await create({ code: 'moved-away', venue_id: 'park' });
    await update(event, { venue_id: 'arena' });
    const updated = (await announcedOf(table, orgId)).filter(
      ({ type, data }) => type === 'event.updated' && 'event' in data && data.event.event_id === event.event_id,
    );
    expect(updated).toMatchObject([
      {
        data: {
          event: { venue_name: 'City Arena' },
          changed: ['venue_id', 'venue_name'],
          previous: { venue_id: 'park', venue_name: 'Harbour Park' },
        },
      },
    ]);
  });

  it('writes nothing if nothing changes', async () => {
    const event = await create({ code: 'same' });
    expect(await update(event, { title: 'Cup final' })).toEqual(event);
  });

  it.each([
    ['published', 0, [1], '1'],
    ['a draft again', 0, [1, 0], '0'],
    ['closed', 0, [1, 3], '3'],
    ['opened again', 0, [1, 3, 1], '1'],
    ['deleted as a draft', 0, [2], '2'],
    ['deleted when it is closed', 0, [1, 3, 2], '2'],
  ])('an event can be %s', async (_name, event_status_id, steps, result) => {
    let event = await create({ event_status_id });
    for (const status of steps) event = await update(event, { event_status_id: status });
    expect(event.event_status_id).toBe(result);
  });

  it.each([
    [0, [], 3],
    [1, [2], 1],
    [1, [3], 0],
  ])('refuses impossible changes of status (%s, %s, %s)', async (event_status_id, steps, to) => {
    let event = await create({ event_status_id });
    for (const status of steps) event = await update(event, { event_status_id: status });
    const conflict = refused('event_status_conflict', 'event_status_id');
    await expect(update(event, { event_status_id: to })).rejects.toMatchObject(conflict);
  });

  const locked = [
    ['already_sold', 'timezone', { timezone: 'Europe/Berlin' }],
    ['already_sold', 'currency', { currency: 'EUR' }],
    ['already_sold', 'event_status_id', { event_status_id: 0 }],
    ['event_has_orders', 'event_status_id', { event_status_id: 2 }],
  ] as const;

  it.each(locked)('with an order, refuses with %s to change %s', async (code, param, body) => {
    const { event, eventId, price } = await givenSoldEvent();
    const ticket = aTicket({ priceId: price.priceId, priceIndex: price.index, categoryId: price.categoryId });
    await writeOrder(table, orgId, anOrder({ eventId, tickets: [ticket] }));
    await expect(update(event, body)).rejects.toMatchObject(refused(code, param));
    expect(await update(event, { title: 'Moved', utc_event_start_date: '2027-01-01T00:00:00Z' })).toMatchObject({
      title: 'Moved',
    });
    expect(await update(event, { event_status_id: 3 })).toMatchObject({ event_status_id: '3' });
  });

  it.each(locked)('with a ticket in a basket, refuses with %s to change %s', async (code, param, body) => {
    const { event, price } = await givenSoldEvent();
    await transact(table, [takeStock(table, orgId, price, 1)]);
    await expect(update(event, body)).rejects.toMatchObject(refused(code, param));
  });

  it('an import cannot change the time zone of a sold event either', async () => {
    const { eventId, price } = await givenSoldEvent();
    await transact(table, [takeStock(table, orgId, price, 1)]);
    const event = await readEvent(table, orgId, eventId);
    if (event === undefined) throw new Error('The event is missing.');
    const saved = await saveEvent(table, orgId, { ...event, timezone: 'Europe/Berlin' }, { nowUnix: 0 });
    expect(saved).toEqual({ refusal: { reason: 'already_sold', field: 'timezone' } });
  });

  it('refuses to change the currency of an event with prices, although nothing is sold', async () => {
    const { event } = await givenSoldEvent();
    await expect(update(event, { currency: 'EUR' })).rejects.toMatchObject(refused('currency_fixed', 'currency'));
    expect(await update(event, { timezone: 'Europe/Berlin' })).toMatchObject({ timezone: 'Europe/Berlin' });
  });

  it('writes nothing with dry_run', async () => {
    const event = await create({ code: 'dry-update' });
    expect(await update(event, { title: 'Changed', dry_run: true })).toMatchObject({
      title: 'Changed',
      warnings: [{ code: 'event_without_prices' }],
    });
    expect(await readEvent(table, orgId, Number(event.event_id))).toMatchObject({ title: 'Cup final' });
  });
});
