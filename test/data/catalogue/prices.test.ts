import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleCreatePool } from '../../../functions/api/catalogue/create-pool.ts';
import { handle as handleCreate } from '../../../functions/api/catalogue/create-price.ts';
import { handle as handleCreateCategory } from '../../../functions/api/catalogue/create-price-category.ts';
import { handle as handleListPools } from '../../../functions/api/catalogue/list-pools.ts';
import { handle as handleListCategories } from '../../../functions/api/catalogue/list-price-categories.ts';
import { handle as handleUpdatePool } from '../../../functions/api/catalogue/update-pool.ts';
import { handle as handleUpdate } from '../../../functions/api/catalogue/update-price.ts';
import { handle as handleUpdateCategory } from '../../../functions/api/catalogue/update-price-category.ts';
import { takeStock } from '../../../shared/data/prices/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { createPool } from '../../../shared/operations/catalogue/create-pool.ts';
import { createPrice } from '../../../shared/operations/catalogue/create-price.ts';
import { createPriceCategory } from '../../../shared/operations/catalogue/create-price-category.ts';
import { listPools } from '../../../shared/operations/catalogue/list-pools.ts';
import { listPriceCategories } from '../../../shared/operations/catalogue/list-price-categories.ts';
import { updatePool } from '../../../shared/operations/catalogue/update-pool.ts';
import { updatePrice } from '../../../shared/operations/catalogue/update-price.ts';
import { updatePriceCategory } from '../../../shared/operations/catalogue/update-price-category.ts';
import { farFutureUnix, givenEvent } from '../../../tools/fixtures/events.ts';
import { callHandler } from '../../support/call-handler.ts';
import { announcedOf } from '../../support/feed.ts';
import { createTestTable } from '../../support/table.ts';

type Body = Readonly<Record<string, unknown>>;
const orgId = 'org_club';
let table: Table;
let event_id: string;
let price_category_id: unknown;

beforeAll(async () => {
  ({ table } = await createTestTable());
  event_id = String((await givenEvent(table, orgId, { startUnix: farFutureUnix })).eventId);
  ({ price_category_id } = await createCategory({ title: 'East stand' }));
});

const createCategory = (body: Body) =>
  callHandler(createPriceCategory, handleCreateCategory, { params: { event_id }, body }, { table, orgId });
const newPool = (body: Body) =>
  callHandler(createPool, handleCreatePool, { params: { event_id }, body }, { table, orgId });
const create = (body: Body, query: Body = {}) => {
  const fields = { price_category_id, title: 'Adult', price: 30, capacity: 100, ...body };
  return callHandler(createPrice, handleCreate, { params: { event_id }, query, body: fields }, { table, orgId });
};
const update = ({ price_id }: Body, body: Body, ifMatch?: number) => {
  const params = { event_id, price_id: String(price_id) };
  return callHandler(updatePrice, handleUpdate, { params, body }, { table, orgId, ifMatch });
};
const changePool = ({ pool_id }: Body, body: Body, ifMatch?: number) => {
  const params = { event_id, pool_id: String(pool_id) };
  return callHandler(updatePool, handleUpdatePool, { params, body }, { table, orgId, ifMatch });
};

const refused = (code: string, param: string) => ({ details: [expect.objectContaining({ code, param })] });

async function take(id: unknown, tickets: number): Promise<void> {
  const index = Number(id) % 512;
  await transact(table, [takeStock(table, orgId, { eventId: Number(event_id), index }, tickets)]);
}

describe('create-price and update-price', () => {
  it('create-price returns the price with the values of a usual price', async () => {
    expect(await create({ code: 'usual', service_fee: 1.95 })).toMatchObject({
      code: 'usual',
      version: 1,
      price: 30,
      total_price: 31.95,
      status: 'active',
      show_online: true,
      capacity: 100,
      available: 100,
      price_category_title: 'East stand',
    });
  });

  it.each([
    ['parameter_invalid', 'price', { price: 1.23456 }],
    ['parameter_invalid', 'tax_rate', { tax_rate: 7.12345 }],
    ['parameter_conflict', 'rebate', { rebate: 31 }],
    ['parameter_conflict', 'available_from_unix', { available_from_unix: 2_000, available_until_unix: 2_000 }],
    ['parameter_conflict', 'max_per_member', { max_per_member: 2 }],
    ['parameter_missing', 'capacity', { capacity: null }],
    ['resource_missing', 'price_category_id', { price_category_id: 7 }],
    ['resource_missing', 'membership_type_id', { membership_type_id: 7 }],
    ['resource_missing', 'pool_id', { pool_id: 7 }],
  ])('both refuse with %s a wrong %s, on creation and later', async (code, param, body) => {
    await expect(create(body)).rejects.toMatchObject(refused(code, param));
    const price = await create({});
    await expect(update(price, body)).rejects.toMatchObject(refused(code, param));
  });

  it('create-price refuses a code that exists in the event', async () => {
    await create({ code: 'twice' });
    await expect(create({ code: 'twice' })).rejects.toMatchObject(refused('code_taken', 'code'));
  });

  it('update-price announces a changed price, and not a changed capacity', async () => {
    const price = await create({ code: 'announced' });
    await update(price, { capacity: 120 });
    await update(price, { price: 31, capacity: 130 });
    const about = (await announcedOf(table, orgId)).filter(
      ({ data }) => 'price' in data && data.price.code === 'announced',
    );
    expect(about).toMatchObject([
      { type: 'price.updated', data: { event_id, changed: ['price'], previous: { price: 30 }, price: { price: 31 } } },
    ]);
  });

  it('create-price warns of a price without stock and of a sale that never opens', async () => {
    const checked = await create({ capacity: 0, available_until_unix: 2_000 }, { dry_run: true });
    expect(checked.warnings).toMatchObject([{ code: 'price_without_stock' }, { code: 'sale_never_opens' }]);
  });

  it('create-price writes nothing with dry_run', async () => {
    expect(await create({ code: 'dry' }, { dry_run: true })).toMatchObject({
      code: 'dry',
      warnings: [],
    });
    expect(await create({ code: 'dry' })).toMatchObject({ version: 1 });
  });

  it('update-price changes the given fields only, and null clears', async () => {
    const price = await create({ max_per_order: 4, available_until_unix: 2_000_000_000 });
    const changed = await update(price, { price: 35.5, max_per_order: null });
    expect(changed).toEqual({ ...price, price: 35.5, total_price: 35.5, max_per_order: null, version: 2 });
  });

  it('update-price changes the capacity, not below what is taken, and says how much that is', async () => {
    const price = await create({});
    await take(price.price_id, 3);
    const low = update(price, { capacity: 2 });
    await expect(low).rejects.toMatchObject({ code: 'capacity_taken', message: expect.stringContaining('3') });
    expect(await update(price, { capacity: 5 })).toMatchObject({ capacity: 5, available: 2, version: 2 });
  });

  it('of two people who change a capacity at once, the second gets 412', async () => {
    const price = await create({});
    await update(price, { capacity: 50 }, 1);
    await expect(update(price, { capacity: 70 }, 1)).rejects.toMatchObject(refused('version_conflict', 'If-Match'));
    expect(await update(price, { title: 'Adult' })).toMatchObject({ capacity: 50, version: 2 });
  });

  it('update-price moves a price into a pool only while none of its tickets is taken', async () => {
    const pool = await newPool({ title: 'Terrace', capacity: 10 });
    const price = await create({});
    expect(await update(price, { pool_id: pool.pool_id, capacity: null })).toMatchObject({
      pool_id: pool.pool_id,
      capacity: null,
      available: 10,
    });
    await take(pool.pool_id, 1);
    await expect(update(price, { pool_id: null, capacity: 5 })).rejects.toMatchObject(
      refused('stocks_taken', 'pool_id'),
    );
  });

  it('update-price answers 404 for a price of another event', async () => {
    const other = await givenEvent(table, orgId);
    await expect(update({ price_id: other.eventId + 1 }, { title: 'x' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('pools and price categories', () => {
  it('pools are listed, created and changed', async () => {
    const pool = await newPool({ code: 'north', title: 'North', capacity: 20 });
    expect(pool).toMatchObject({ code: 'north', capacity: 20, available: 20, version: 1 });
    await expect(newPool({ code: 'north', title: 'x', capacity: 1 })).rejects.toMatchObject(
      refused('code_taken', 'code'),
    );
    await take(pool.pool_id, 4);
    await expect(changePool(pool, { capacity: 3 })).rejects.toMatchObject(refused('capacity_taken', 'capacity'));
    const changed = await changePool(pool, { capacity: 30 }, 1);
    expect(changed).toEqual({ ...pool, capacity: 30, available: 26, version: 2 });
    await expect(changePool(pool, { title: 'x' }, 1)).rejects.toMatchObject(refused('version_conflict', 'If-Match'));
    const { data } = await callHandler(listPools, handleListPools, { params: { event_id } }, { table, orgId });
    expect(data).toContainEqual(changed);
  });

  it('price categories are listed, created and changed', async () => {
    const category = await createCategory({ code: 'west', title: 'West', order_by: 9 });
    expect(category).toMatchObject({ code: 'west', status: 'active', order_by: 9, version: 1 });
    await expect(createCategory({ code: 'west', title: 'x' })).rejects.toMatchObject(refused('code_taken', 'code'));
    const params = { event_id, price_category_id: String(category.price_category_id) };
    const change = (body: Body, ifMatch?: number) =>
      callHandler(updatePriceCategory, handleUpdateCategory, { params, body }, { table, orgId, ifMatch });
    const changed = await change({ status: 'inactive' }, 1);
    expect(changed).toEqual({ ...category, status: 'inactive', version: 2 });
    await expect(change({ title: 'x' }, 1)).rejects.toMatchObject(refused('version_conflict', 'If-Match'));
    const listed = await callHandler(
      listPriceCategories,
      handleListCategories,
      { params: { event_id } },
      { table, orgId },
    );
    expect(listed.data).toEqual([expect.objectContaining({ title: 'East stand' }), changed]);
  });
});
