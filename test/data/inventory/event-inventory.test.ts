import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as handleBlock } from '../../../functions/api/seat-maps/create-seat-block.ts';
import { importOrder } from '../../../shared/data/admin/import-order.ts';
import { changeBasket } from '../../../shared/data/baskets/baskets.ts';
import { stockKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { readOpenOffers } from '../../../shared/data/waiting-list/read.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { createSeatBlock } from '../../../shared/operations/seat-maps/create-seat-block.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import {
  checkOutWith,
  givenBasket,
  givenOnSale,
  givenSlicedOnSale,
  givenTerrace,
  newCheckoutDeps,
} from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { inventoryOf, wrongIn } from '../../support/inventory.ts';
import { runDueJobs } from '../../support/jobs.ts';
import { givenClub } from '../../support/season-seats.ts';
import { givenSeatedEvent, givenSeats } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenSoldOut, join, serve } from '../../support/waiting-list.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function newDeps() {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  return deps;
}

const nothing = { sold: 0, complimentary: 0, held: 0, offered: 0, blocked: 0, members: 0 };

describe('event-inventory', () => {
  it('event-inventory says of a price what is sold, held and free, also when it has several slices', async () => {
    const deps = await newDeps();
    const { price } = await givenSlicedOnSale(table, deps.orgId, 12);
    const { basketId } = await givenBasket(deps, price, 3);
    await checkOutWith(deps, basketId);
    await givenBasket(deps, price, 2);
    const { priceId, title, categoryId } = price;
    expect(await inventoryOf(table, deps.orgId, price.eventId)).toEqual([
      {
        ...nothing,
        kind: 'price',
        price_id: priceId,
        pool_id: null,
        zone: null,
        title,
        capacity: 12,
        sold: 3,
        held: 2,
        free: 7,
        prices: [
          {
            price_id: priceId,
            price_title: title,
            price_category_id: categoryId,
            category_title: 'Stand east',
            sold: 3,
            complimentary: 0,
          },
        ],
      },
    ]);
    await refundOrder(deps, { orderId: basketId, tickets: 'all' });
    expect(await inventoryOf(table, deps.orgId, price.eventId)).toMatchObject([{ sold: 0, held: 2, free: 10 }]);
  });

  it('event-inventory has one item for a pool, and its prices show only what they have sold of it', async () => {
    const deps = await newDeps();
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 10, juniors: 4 });
    const { basketId } = await givenBasket(deps, junior, 2);
    await checkOutWith(deps, basketId);
    await givenBasket(deps, adult, 3);
    const rows = await inventoryOf(table, deps.orgId, pool.eventId);
    expect(rows).toMatchObject([
      { ...nothing, kind: 'pool', title: pool.title, capacity: 10, sold: 2, held: 3, free: 5 },
    ]);
    expect(rows[0]?.prices.map(({ price_id, sold }) => [price_id, sold])).toEqual([
      [adult.priceId, 0],
      [junior.priceId, 2],
    ]);
  });

  it('event-inventory counts the seats of a zone: sold, held, blocked, of members and free', async () => {
    const map = aSeatMap([
      { row: 'A', seats: '1-8' },
      { row: 'B', seats: '1-8' },
      { section: 'Balcony', row: 'A', seats: '1-4' },
    ]);
    const { deps, orgId, join: newMember, sit, draft, publish } = await givenClub(table, map);
    await sit(await newMember(), 'Stalls/B/8');
    const eventId = await draft();
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId, zone: 'Stalls' });
    const price = await givenPrice(table, orgId, { eventId, categoryId, capacity: null, seatsOnly: true });
    await runDueJobs(deps);
    await publish(eventId);
    const { basketId } = await givenSeats(deps, price, ['Stalls/A/1', 'Stalls/A/2']);
    await checkOutWith(deps, basketId);
    await givenSeats(deps, price, ['Stalls/A/3', 'Stalls/A/4', 'Stalls/A/5']);
    await callHandler(
      createSeatBlock,
      handleBlock,
      { params: { event_id: String(eventId) }, body: { seats: ['Stalls/B/1', 'Balcony/A/1'] } },
      { table, orgId, nowMs: deps.nowUnix * 1000 },
    );
    expect(await inventoryOf(table, orgId, eventId)).toMatchObject([
      { ...nothing, kind: 'zone', zone: 'Stalls', capacity: 16, sold: 2, held: 3, blocked: 1, members: 1, free: 9 },
      { ...nothing, kind: 'zone', zone: 'Balcony', capacity: 4, blocked: 1, free: 3, prices: [] },
    ]);
  });

  it('imported tickets of a zone that have no seat are added to its seats', async () => {
    const deps = await newDeps();
    const { event, price } = await givenSeatedEvent(table, deps.orgId);
    const ticket = () => aTicket({ priceId: price.priceId, priceIndex: price.index, ownStock: false });
    const { orderId: _, ...past } = anOrder({ eventId: event.eventId, tickets: [ticket(), ticket(), ticket()] });
    expect(await importOrder(table, deps.orgId, past)).toEqual({ outcome: 'created' });
    expect(await inventoryOf(table, deps.orgId, event.eventId)).toMatchObject([
      { capacity: 19, sold: 3, held: 0, free: 16 },
    ]);
  });

  it('what a waiting list offers is held until it is paid or given up', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 3);
    for (const name of ['ada', 'bob']) await join(deps, price, name);
    for (const orderId of orders.slice(0, 2)) await refundOrder(deps, { orderId, tickets: 'all' });
    await serve(deps, price);
    const inventory = () => inventoryOf(table, deps.orgId, price.eventId);
    expect(await inventory()).toMatchObject([{ capacity: 3, sold: 1, held: 2, offered: 2, free: 0 }]);
    const offers = await readOpenOffers(table, deps.orgId, price.eventId);
    const [first, second] = offers.map(({ basketId }) => basketId);
    await checkOutWith(deps, first ?? 0);
    const basketId = second ?? 0;
    await changeBasket(table, { ...deps, basketId, decide: (basket) => cancelBasket(basket, deps.nowUnix) });
    expect(await inventory()).toMatchObject([{ capacity: 3, sold: 2, held: 0, offered: 0, free: 1 }]);
  });

  it('a stock that contradicts its sales is an error, and no figure hides it', async () => {
    const deps = await newDeps();
    const { price } = await givenOnSale(table, deps.orgId, { capacity: 5 });
    const { basketId } = await givenBasket(deps, price, 3);
    await checkOutWith(deps, basketId);
    await transact(table, [
      {
        Update: {
          TableName: table.name,
          Key: stockKey(deps.orgId, price.eventId, price.index),
          UpdateExpression: 'SET avail = :avail',
          ExpressionAttributeValues: { ':avail': 5 },
        },
      },
    ]);
    await expect(inventoryOf(table, deps.orgId, price.eventId)).rejects.toThrow('contradictory figures');
  });

  it('event-inventory does not find the event of another organisation', async () => {
    const deps = await newDeps();
    const { event } = await givenOnSale(table, deps.orgId);
    await expect(inventoryOf(table, 'org_other', event.eventId)).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(wrongIn(await inventoryOf(table, deps.orgId, event.eventId))).toEqual([]);
  });
});
