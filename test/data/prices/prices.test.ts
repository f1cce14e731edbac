import { beforeAll, describe, expect, it } from 'vitest';
import { readEvent } from '../../../shared/data/events/read.ts';
import { changeEvent, saveEvent } from '../../../shared/data/events/save.ts';
import { scheduleSoldOutUpdate, updateOverdueSoldOut, updateSoldOut } from '../../../shared/data/events/sold-out.ts';
import { readPricedEvent, readPriceList } from '../../../shared/data/prices/read.ts';
import { savePrice } from '../../../shared/data/prices/save-price.ts';
import { readStock, returnStock, takeStock } from '../../../shared/data/prices/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { anEvent, givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { crash, crashBefore } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
const orgId = 'org_prices';

beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function givenEastStand() {
  const { eventId } = await givenEvent(table, orgId);
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  return { eventId, categoryId };
}

describe('saving events', () => {
  it('an event is found by its id, in its own organisation only', async () => {
    const event = await givenEvent(table, orgId, { title: 'Harbour FC v Rovers' });
    expect(await readEvent(table, orgId, event.eventId)).toEqual(event);
    expect(await readEvent(table, 'org_other', event.eventId)).toBeUndefined();
  });

  it('an event is read together with its prices, in their current state after every change', async () => {
    const { eventId, categoryId } = await givenEastStand();
    const price = await givenPrice(table, orgId, { eventId, categoryId });
    const found = async () => readPricedEvent(table, orgId, eventId);
    expect((await found())?.event).toEqual(await readEvent(table, orgId, eventId));
    expect((await found())?.prices).toEqual([price]);
    await changeEvent(table, orgId, eventId, (event) => ({ ...event, title: 'Moved', timezone: 'Europe/London' }));
    expect((await found())?.event).toEqual(await readEvent(table, orgId, eventId));
    expect((await found())?.event).toMatchObject({ title: 'Moved', timezone: 'Europe/London', version: 2 });
    expect([...((await found())?.categories.keys() ?? [])]).toEqual([categoryId]);
    expect(await readPricedEvent(table, 'org_other', eventId)).toBeUndefined();
    expect(await readPricedEvent(table, orgId, eventId + 512)).toBeUndefined();
    const { eventId: withoutPrices } = await givenEvent(table, orgId);
    expect(await readPricedEvent(table, orgId, withoutPrices)).toMatchObject({ prices: [] });
  });

  it('an event that is saved twice is written once', async () => {
    const draft = anEvent();
    const first = await saveEvent(table, orgId, draft);
    expect(first.outcome).toBe('created');
    expect(await saveEvent(table, orgId, draft)).toEqual({ outcome: 'unchanged', event: first.event });
    const renamed = await saveEvent(table, orgId, { ...draft, title: 'Another' });
    expect(renamed).toMatchObject({ outcome: 'updated', event: { eventId: first.event.eventId, version: 2 } });
  });

  it('an event keeps every concurrent change', async () => {
    const { eventId } = await givenEvent(table, orgId, { startUnix: 1_000 });
    const later = () => changeEvent(table, orgId, eventId, (event) => ({ ...event, startUnix: event.startUnix + 1 }));
    await Promise.all(Array.from({ length: 8 }, later));
    expect(await readEvent(table, orgId, eventId)).toMatchObject({ startUnix: 1_008, version: 9 });
    expect(await changeEvent(table, orgId, 512, (event) => event)).toBe('missing');
  });
});

describe('saving prices', () => {
  it('prices have ids after that of their event, and are listed by category and then in their own order', async () => {
    const { eventId, categoryId } = await givenEastStand();
    const west = await givenPriceCategory(table, orgId, { eventId, code: 'west', orderBy: -1 });
    const child = await givenPrice(table, orgId, { eventId, categoryId, orderBy: 2 });
    const adult = await givenPrice(table, orgId, { eventId, categoryId, orderBy: 1 });
    const seat = await givenPrice(table, orgId, { eventId, categoryId: west.categoryId });
    const list = await readPriceList(table, orgId, eventId);
    expect(list.prices).toEqual([seat, adult, child]);
    expect([child, adult, seat].map(({ priceId }) => priceId - eventId)).toEqual([1, 2, 3]);
    expect([...list.categories.keys()].toSorted()).toEqual([categoryId, west.categoryId].toSorted());
  });

  it('a price code that is saved concurrently is one price', async () => {
    const eastStand = await givenEastStand();
    const saved = await Promise.all(
      Array.from({ length: 6 }, () => givenPrice(table, orgId, { ...eastStand, code: 'adult', title: 'Adult' })),
    );
    expect(new Set(saved.map(({ priceId }) => priceId)).size).toBe(1);
    expect((await readPriceList(table, orgId, eastStand.eventId)).prices).toHaveLength(1);
  });

  it('prices that are created concurrently get distinct numbers', async () => {
    const eastStand = await givenEastStand();
    const made = await Promise.all(Array.from({ length: 6 }, () => givenPrice(table, orgId, eastStand)));
    expect(made.map(({ index }) => index).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('price stock', () => {
  it('price stock is never oversold, however many take it concurrently', async () => {
    const price = await givenPrice(table, orgId, { ...(await givenEastStand()), capacity: 10 });
    const takes = await Promise.all(
      Array.from({ length: 16 }, () => transact(table, [takeStock(table, orgId, price, 1)])),
    );
    expect(takes.filter((refused) => refused.length === 0)).toHaveLength(10);
    expect(await readStock(table, orgId, price.eventId)).toEqual(new Map([[1, { avail: 0, capacity: 10 }]]));
    await transact(table, [returnStock(table, orgId, price, 3)]);
    expect(await readStock(table, orgId, price.eventId)).toEqual(new Map([[1, { avail: 3, capacity: 10 }]]));
  });

  it('price stock follows the capacity, which cannot go below what is taken', async () => {
    const eastStand = await givenEastStand();
    const price = await givenPrice(table, orgId, { ...eastStand, code: 'adult', title: 'Adult', capacity: 10 });
    await transact(table, [takeStock(table, orgId, price, 4)]);
    const { index: _, priceId: __, version: ___, ...fields } = price;
    const draft = { ...fields, currency: 'AUD' };
    expect(await savePrice(table, orgId, { ...draft, capacity: 3 })).toEqual({ outcome: 'capacity_taken', taken: 4 });
    for (const [capacity, avail] of [
      [25, 21],
      [4, 0],
    ] as const) {
      expect(await savePrice(table, orgId, { ...draft, capacity })).toMatchObject({ outcome: 'updated' });
      expect(await readStock(table, orgId, price.eventId)).toEqual(new Map([[1, { avail, capacity }]]));
    }
    expect(await savePrice(table, orgId, { ...draft, capacity: 4 })).toMatchObject({ outcome: 'unchanged' });
  });
});

describe('sold_out of an event', () => {
  it('sold_out is true when something is on sale and nothing of it is left', async () => {
    const { eventId, categoryId } = await givenEastStand();
    const soldOut = async (): Promise<boolean | undefined> => {
      await updateSoldOut(table, orgId, eventId);
      return (await readEvent(table, orgId, eventId))?.soldOut;
    };
    expect(await soldOut()).toBe(false);
    const single = await givenPrice(table, orgId, { eventId, categoryId, capacity: 1 });
    const group = await givenPrice(table, orgId, { eventId, categoryId, capacity: 7, ticketsIncluded: 4 });
    await givenPrice(table, orgId, { eventId, categoryId, capacity: 9, status: 'inactive' });
    await transact(table, [takeStock(table, orgId, single, 1)]);
    expect(await soldOut()).toBe(false);
    await transact(table, [takeStock(table, orgId, group, 4)]);
    expect(await soldOut()).toBe(true);
    await transact(table, [returnStock(table, orgId, single, 1)]);
    expect(await soldOut()).toBe(false);
  });

  it('sold_out that cannot be updated immediately is updated later, and stays due until it is', async () => {
    const { eventId, categoryId } = await givenEastStand();
    await givenPrice(table, orgId, { eventId, categoryId, capacity: 0 });
    await scheduleSoldOutUpdate(table, orgId, eventId, 1_000);
    expect(await updateOverdueSoldOut(table, 1_001)).toEqual([]);
    expect(await readEvent(table, orgId, eventId)).toMatchObject({ soldOut: false });
    expect(await updateOverdueSoldOut(crashBefore(table), 1_060)).toEqual([{ orgId, eventId, error: crash }]);
    expect(await updateOverdueSoldOut(table, 1_060)).toEqual([]);
    expect(await readEvent(table, orgId, eventId)).toMatchObject({ soldOut: true });
    expect(await updateOverdueSoldOut(crashBefore(table), 1_060)).toEqual([]);
  });

  it('sold_out costs no write while it does not change', async () => {
    const { eventId, categoryId } = await givenEastStand();
    await givenPrice(table, orgId, { eventId, categoryId });
    await updateSoldOut(table, orgId, eventId);
    expect(await readEvent(table, orgId, eventId)).toMatchObject({ soldOut: false, version: 1 });
  });
});
