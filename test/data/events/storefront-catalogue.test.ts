import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as listPricesHandler } from '../../../functions/api/events/list-event-prices.ts';
import { handle as listEventsHandler } from '../../../functions/api/events/list-events.ts';
import { handle as retrieveEventHandler } from '../../../functions/api/events/retrieve-event.ts';
import { changeEvent } from '../../../shared/data/events/save.ts';
import { takeStock } from '../../../shared/data/prices/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { cancelledAt } from '../../../shared/domain/events/event.ts';
import { listEventPrices } from '../../../shared/operations/events/list-event-prices.ts';
import { listEvents } from '../../../shared/operations/events/list-events.ts';
import { retrieveEvent } from '../../../shared/operations/events/retrieve-event.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent, givenPool, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { callOperation, type OperationCall } from '../../support/call-operation.ts';
import { createTestTable } from '../../support/table.ts';

const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
let table: Table;
let orgId = 'org_catalogue';

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
});

type Changes = Partial<OperationCall>;
const events = (bearer: string, changes: Changes = {}) =>
  callOperation(listEvents, listEventsHandler, { table, nowMs: noon, bearer, ...changes });
const event = (bearer: string, eventId: number, changes: Changes = {}) =>
  callOperation(retrieveEvent, retrieveEventHandler, {
    table,
    nowMs: noon,
    bearer,
    params: { event_id: String(eventId) },
    ...changes,
  });
const prices = (bearer: string, eventId: number, changes: Changes = {}) =>
  callOperation(listEventPrices, listPricesHandler, {
    table,
    nowMs: noon,
    bearer,
    params: { event_id: String(eventId) },
    ...changes,
  });

describe('the catalogue of a storefront token', () => {
  let token: string;
  let key: string;
  beforeAll(async () => {
    ({ text: token } = await givenStorefrontToken(table, orgId));
    ({ text: key } = await givenKey(table, orgId));
  });

  it('list-events and retrieve-event show only published events that are public', async () => {
    const shown = await givenEvent(table, orgId, { title: 'Shown' });
    const hidden = [
      await givenEvent(table, orgId, { statusId: 0, title: 'Draft' }),
      await givenEvent(table, orgId, { statusId: 3, title: 'Closed' }),
      await givenEvent(table, orgId, { publicEvent: false, title: 'Private' }),
    ];
    expect((await events(key)).body.data).toHaveLength(4);
    for (const query of [undefined, { event_status_id: '1' }, { search: 'Shown' }]) {
      expect((await events(token, query && { query })).body).toMatchObject({
        has_more: false,
        data: [{ event_id: String(shown.eventId) }],
      });
    }
    for (const query of [{ event_status_id: '0' }, { search: 'Draft' }, { search: 'Private' }, { page_number: '2' }]) {
      expect((await events(token, { query })).body).toMatchObject({ has_more: false, data: [] });
    }
    const { metadata, ...publicFields } = (await event(key, shown.eventId)).body;
    expect(metadata).toEqual({});
    const shownBody = (await event(token, shown.eventId)).body;
    expect(shownBody).not.toHaveProperty('metadata');
    expect(shownBody).toEqual(publicFields);
    for (const { eventId } of hidden) {
      expect((await event(key, eventId)).status).toBe(200);
      const missing = await event(token, 5);
      const refused = await event(token, eventId);
      expect([refused.status, refused.body]).toEqual([404, missing.body]);
      expect((await prices(token, eventId)).status).toBe(404);
    }
  });

  it('retrieve-event shows a public event that was cancelled, and list-events does not', async () => {
    const cancelled = async (fields: Parameters<typeof givenEvent>[2]) => {
      const { eventId } = await givenEvent(table, orgId, { ...fields, title: 'Cancelled' });
      await changeEvent(table, orgId, eventId, (before) => cancelledAt(before, noon / 1000 - 60));
      return eventId;
    };
    const eventId = await cancelled({});
    const closed = await cancelled({ statusId: 3 });
    expect(await event(token, eventId)).toMatchObject({ status: 200, body: { cancelled_unix: noon / 1000 - 60 } });
    expect((await event(token, closed)).status).toBe(200);
    // A draft that is cancelled was never announced.
    for (const hidden of [await cancelled({ publicEvent: false }), await cancelled({ statusId: 0 })]) {
      expect((await event(token, hidden)).status).toBe(404);
      await changeEvent(table, orgId, hidden, (before) => cancelledAt(before, noon / 1000));
      expect((await event(token, hidden)).status).toBe(404);
    }
    expect((await prices(token, eventId)).status).toBe(404);
    expect((await events(token, { query: { search: 'Cancelled' } })).body).toMatchObject({ data: [] });
  });

  it('events and price lists of another organisation look like missing ones', async () => {
    await givenOrganisation(table, 'org_others');
    const { eventId } = await givenEvent(table, 'org_others');
    expect(await event(token, eventId)).toEqual(await event(token, 5));
    expect(await prices(token, eventId)).toEqual(await prices(token, 5));
  });

  it('pages of list-events are full although hidden events are between', async () => {
    orgId = await givenOrganisation(table, 'org_pages');
    ({ text: token } = await givenStorefrontToken(table, orgId));
    for (let index = 0; index < 9; index += 1) {
      await givenEvent(table, orgId, { startUnix: 1_800_000_000 - index, publicEvent: index % 2 === 0 });
    }
    const page = async (page_number: string) => (await events(token, { query: { limit: '2', page_number } })).body;
    expect(await page('1')).toMatchObject({ has_more: true, data: [{}, {}] });
    expect(await page('2')).toMatchObject({ has_more: true, data: [{}, {}] });
    expect(await page('3')).toMatchObject({ has_more: false, data: [{}] });
  });

  it('list-event-prices shows only active prices with show_online', async () => {
    const { eventId } = await givenEvent(table, orgId);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    const off = await givenPriceCategory(table, orgId, { eventId, code: 'west', status: 'inactive' });
    const shown = await givenPrice(table, orgId, { eventId, categoryId });
    const soldOut = await givenPrice(table, orgId, { eventId, categoryId, capacity: 0 });
    await givenPrice(table, orgId, { eventId, categoryId, showOnline: false });
    await givenPrice(table, orgId, { eventId, categoryId, status: 'inactive' });
    await givenPrice(table, orgId, { eventId, categoryId: off.categoryId });
    const { body } = await prices(token, eventId);
    expect(body.data).toMatchObject([{ price_id: shown.priceId }, { price_id: soldOut.priceId, status: 'sold_out' }]);
  });

  it('list-event-prices tells a storefront token whether few are left, and how many only an API key', async () => {
    const { eventId } = await givenEvent(table, orgId);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    const pool = await givenPool(table, orgId, { eventId, capacity: 200 });
    await givenPrice(table, orgId, { eventId, categoryId, poolIndex: pool.index, capacity: null });
    await givenPrice(table, orgId, { eventId, categoryId, poolIndex: pool.index, capacity: 10 });
    await givenPrice(table, orgId, { eventId, categoryId, capacity: 9 });
    const { text: newKey } = await givenKey(table, orgId);
    const seen = async (names: readonly string[], bearer: string, nowMs: number) => {
      const { body } = await prices(bearer, eventId, { nowMs });
      const { data } = v.parse(v.object({ data: v.array(v.record(v.string(), v.unknown())) }), body);
      return data.map((price) => names.map((name) => price[name]));
    };
    const numbers = ['pool_id', 'capacity', 'available', 'few_left'];
    expect(await seen(numbers, newKey, noon)).toEqual([
      [eventId + pool.index, null, 200, undefined],
      [eventId + pool.index, 10, 10, undefined],
      [null, 9, 9, undefined],
    ]);
    const shown = ['capacity', 'available', 'few_left'];
    expect(await seen(shown, token, noon)).toEqual([
      [undefined, undefined, false],
      [undefined, undefined, false],
      [undefined, undefined, true],
    ]);
    await transact(table, [
      takeStock(table, orgId, { ...pool, slice: 0 }, 90),
      takeStock(table, orgId, { ...pool, slice: 1 }, 91),
    ]);
    expect(await seen(['status', 'few_left'], token, noon + 1_000)).toEqual([
      ['active', true],
      ['active', true],
      ['active', true],
    ]);
  });
});
