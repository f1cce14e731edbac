import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readPrice } from '../../../shared/data/prices/read.ts';
import { savePrice } from '../../../shared/data/prices/save-price.ts';
import { gatherStock } from '../../../shared/data/prices/slices.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { stockKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import {
  addItem,
  givenBasket,
  givenOnSale,
  givenSlicedOnSale,
  newCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { measuredTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** The available tickets of each slice. */
async function sliceSizes(orgId: string): Promise<number[]> {
  return (await itemsLike(table, `STK#${orgId}#`)).map(({ avail }) => Number(avail)).toSorted((a, b) => b - a);
}

const draftOf = ({ index: _, priceId: __, version: ___, stockSlices: ____, ...fields }: PriceRecord) => ({
  ...fields,
  currency: 'AUD',
});

describe('stock in slices', () => {
  it('a price with many tickets has slices in several partitions, and its stock is their sum', async () => {
    const { orgId } = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, orgId, { capacity: 500 });
    expect(await sliceSizes(orgId)).toEqual([100, 100, 100, 100, 100]);
    const partitions = (await itemsLike(table, `STK#${orgId}#`)).map(({ pk }) => pk);
    expect(new Set(partitions).size).toBe(4);
    expect(await readStock(table, orgId, price.eventId)).toEqual(new Map([[1, { avail: 500, capacity: 500 }]]));
  });

  it('a basket takes tickets from several slices, and a price is sold out exactly when no ticket is left', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenSlicedOnSale(table, deps.orgId, 7);
    expect((await sliceSizes(deps.orgId)).filter((avail) => avail > 0).length).toBeGreaterThan(1);
    const basket = await givenBasket(deps, price, 6);
    expect(await ticketsOf(deps, price, [basket.basketId])).toEqual({ available: 1, held: 6, sold: 0, capacity: 7 });
    const { basketId } = await openBasket(table, deps);
    const soldOut = { outcome: 'refused', refusal: { reason: 'sold_out' } };
    expect(await addItem(deps, basketId, price, 2)).toMatchObject(soldOut);
    expect(await addItem(deps, basketId, price, 1)).toMatchObject({ outcome: 'changed' });
    expect(await addItem(deps, basketId, price, 1)).toMatchObject(soldOut);
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 0 });
  });

  it('thirty buyers at once get all tickets of three slices and no more', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenSlicedOnSale(table, deps.orgId, 20);
    const results = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { basketId } = await openBasket(table, deps);
        return (await addItem(deps, basketId, price)).outcome;
      }),
    );
    expect(results.filter((outcome) => outcome === 'changed')).toHaveLength(20);
    expect(await sliceSizes(deps.orgId)).toEqual([0, 0, 0]);
  });

  it('a changed capacity adds slices and never removes one', async () => {
    const { orgId } = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, orgId, { capacity: 100, title: 'Adult' });
    const save = (capacity: number) => savePrice(table, orgId, { ...draftOf(price), capacity });
    expect(await save(400)).toMatchObject({ outcome: 'updated', price: { stockSlices: 4 } });
    expect(await sliceSizes(orgId)).toEqual([175, 75, 75, 75]);
    // More than the first slice has: the tickets of the others are gathered there first.
    expect(await save(20)).toMatchObject({ outcome: 'updated', price: { stockSlices: 4 } });
    expect(await readPrice(table, orgId, price)).toMatchObject({ stockSlices: 4 });
    expect(await readStock(table, orgId, price.eventId)).toEqual(new Map([[1, { avail: 20, capacity: 20 }]]));
    expect(await gatherStock(table, orgId, price, 20)).toBe(true);
    expect(await gatherStock(table, orgId, price, 21)).toBe(false);
    expect(await sliceSizes(orgId)).toEqual([20, 0, 0, 0]);
  });

  it('a stock with fewer slices than its tickets need gets more only together with tickets, so a hold finds each of them', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { price } = await givenOnSale(table, orgId, { capacity: 100 });
    const { eventId, index } = price;
    // As a release wrote it that knew no slices.
    const Key = stockKey(orgId, eventId, index);
    const values = { ':many': 900 };
    const UpdateExpression = 'SET avail = :many, #capacity = :many';
    const names = { '#capacity': 'capacity' };
    const write = { Key, UpdateExpression, ExpressionAttributeNames: names, ExpressionAttributeValues: values };
    await table.client.send(new UpdateCommand({ TableName: table.name, ...write }));
    for (const capacity of [900, 800]) {
      const saved = await savePrice(table, orgId, { ...draftOf(price), title: `Adult ${capacity}`, capacity });
      expect(saved).toMatchObject({ outcome: 'updated', price: { stockSlices: 1 } });
      const { basketId } = await openBasket(table, deps);
      expect(await addItem(deps, basketId, price, 1)).toMatchObject({ outcome: 'changed' });
    }
    expect(await savePrice(table, orgId, { ...draftOf(price), capacity: 1_000 })).toMatchObject({
      price: { stockSlices: 8 },
    });
    expect(await sliceSizes(orgId)).toHaveLength(8);
  });

  it('slices cost a hold neither a call nor a write unit', async () => {
    const costOf = async (capacity: number) => {
      const deps = newCheckoutDeps(table);
      const { price } = await givenOnSale(table, deps.orgId, { capacity });
      const { basketId } = await openBasket(table, deps);
      const measured = measuredTable(table);
      await addItem({ ...deps, table: measured.table }, basketId, price);
      const { writeUnits } = measured.table.meter;
      return { depth: measured.depth(), calls: measured.calls.toSorted(), writeUnits };
    };
    expect(await costOf(5_000)).toEqual(await costOf(100));
  });
});
