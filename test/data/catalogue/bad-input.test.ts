import { beforeAll, expect, it } from 'vitest';
import { handle as handleCreateEvent } from '../../../functions/api/catalogue/create-event.ts';
import { handle as handleCreatePool } from '../../../functions/api/catalogue/create-pool.ts';
import { handle as handleCreatePrice } from '../../../functions/api/catalogue/create-price.ts';
import { handle as handleCreateCategory } from '../../../functions/api/catalogue/create-price-category.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { createEvent } from '../../../shared/operations/catalogue/create-event.ts';
import { createPool } from '../../../shared/operations/catalogue/create-pool.ts';
import { createPrice } from '../../../shared/operations/catalogue/create-price.ts';
import { createPriceCategory } from '../../../shared/operations/catalogue/create-price-category.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { farFutureUnix, givenEvent, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { callOperation } from '../../support/call-operation.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_badinput';
const tooLong = 'x'.repeat(10_000);
let table: Table;
let bearer: string;
let params: { event_id: string };
let price_category_id: number;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ text: bearer } = await givenKey(table, orgId));
  const { eventId } = await givenEvent(table, orgId, { startUnix: farFutureUnix });
  params = { event_id: String(eventId) };
  ({ categoryId: price_category_id } = await givenPriceCategory(table, orgId, { eventId }));
});

type Body = Readonly<Record<string, unknown>>;
const sent = (body: Body) => ({ table, nowMs: Date.UTC(2026, 10, 14), bearer, body });
const match = { title: 'Final', utc_event_start_date: '2030-10-31T08:30:00Z', currency: 'AUD' };
const event = (body: Body) => callOperation(createEvent, handleCreateEvent, sent({ ...match, ...body }));
const category = (body: Body) =>
  callOperation(createPriceCategory, handleCreateCategory, { ...sent({ title: 'East', ...body }), params });
const pool = (body: Body) =>
  callOperation(createPool, handleCreatePool, { ...sent({ title: 'Terrace', capacity: 5, ...body }), params });
const price = (body: Body) => {
  const usual = { price_category_id, title: 'Adult', price: 30, capacity: 10 };
  return callOperation(createPrice, handleCreatePrice, { ...sent({ ...usual, ...body }), params });
};
const catalogueNow = async () => {
  const items = await Promise.all(['EVT', 'EVC', 'STK'].map((kind) => itemsLike(table, `${kind}#${orgId}`)));
  return JSON.stringify(items);
};

it.each([
  ['create-event', 'title', event, { title: tooLong }],
  ['create-event', 'timezone', event, { timezone: 'Australia/Atlantis' }],
  ['create-price-category', 'title', category, { title: tooLong }],
  ['create-pool', 'title', pool, { title: tooLong }],
  ['create-pool', 'capacity', pool, { capacity: -1 }],
  ['create-price', 'title', price, { title: tooLong }],
  ['create-price', 'capacity', price, { capacity: -1 }],
  ['create-price', 'price', price, { price: 1.23456 }],
] as const)('%s refuses a wrong %s, names it and changes nothing', async (_id, param, create, body) => {
  const before = await catalogueNow();
  expect(await create(body)).toMatchObject({ status: 400, body: { error: { code: 'parameter_invalid', param } } });
  expect(await catalogueNow()).toBe(before);
  // The same request without the mistake is accepted.
  expect((await create({})).status).toBe(201);
});
