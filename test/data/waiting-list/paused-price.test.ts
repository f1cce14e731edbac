import { beforeAll, describe, expect, it } from 'vitest';
import { type PriceValues, updatePrice } from '../../../shared/catalogue/save-price.ts';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { givenBasket, givenTerrace, newCheckoutDeps } from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import {
  audited,
  type Deps,
  givenSoldOut,
  join,
  leave,
  leftOf,
  list,
  serve,
  snatch,
  statuses,
  sweepLists,
} from '../../support/waiting-list.ts';

const day = 86_400;
let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

describe('waiting list: a price that is paused', () => {
  it.each([
    ['is switched off', { status: 'inactive' }, { status: 'active' }],
    ['opens later', { availableFromUnix: 1_900_000_000 }, { availableFromUnix: null }],
    ['sells fewer in one order', { maxPerOrder: 1 }, { maxPerOrder: null }],
  ] as const)('keeps its stock closed while somebody waits: it %s', async (_what, pause, resume) => {
    const { deps, price, orders } = await givenSoldOut(table, 2);
    await join(deps, price, 'ada', { quantity: 2 });
    await change(deps, price, pause);
    await serve(deps, price);
    for (const orderId of orders) await refundOrder(deps, { orderId, tickets: 'all' });
    deps.nowUnix += 3_600;
    await sweepLists(deps);
    expect(await leftOf(deps, price)).toEqual({ avail: 2, capacity: 2, closed: true });
    expect(await statuses(deps, price)).toEqual(['ada waiting']);
    await change(deps, price, resume);
    const { basketId } = await openBasket(table, deps);
    expect(await snatch(deps, price, basketId)).toBe('waited_for');
    deps.nowUnix += 3_600;
    await sweepLists(deps);
    expect(await statuses(deps, price)).toEqual(['ada offered']);
    expect(await audited(deps, price)).toEqual([]);
  });

  it('offers what one order may have to somebody who accepts fewer', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 3);
    await join(deps, price, 'ada', { quantity: 3, accept_less: true });
    await change(deps, price, { maxPerOrder: 2 });
    for (const orderId of orders) await refundOrder(deps, { orderId, tickets: 'all' });
    await serve(deps, price);
    expect(await list(deps, price)).toMatchObject([{ status: 'offered', quantity: 3, offered_quantity: 2 }]);
    expect(await leftOf(deps, price)).toEqual({ avail: 1, capacity: 3 });
    expect(await audited(deps, price)).toEqual([]);
  });

  it('keeps the pool closed that it shares, and blocks nobody who waits for another price of it', async () => {
    const deps = newCheckoutDeps(table);
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 2 });
    const held = [await givenBasket(deps, adult), await givenBasket(deps, junior)];
    await join(deps, junior, 'ada');
    deps.nowUnix += 1;
    await join(deps, adult, 'bob');
    await change(deps, junior, { status: 'inactive' });
    for (const { basketId } of held) await cancel(deps, basketId);
    await serve(deps, pool);
    expect(await statuses(deps, pool)).toEqual(['ada waiting', 'bob offered']);
    expect(await leftOf(deps, pool)).toEqual({ avail: 1, capacity: 2, closed: true });
    const { basketId } = await openBasket(table, deps);
    expect(await snatch(deps, adult, basketId)).toBe('waited_for');
    expect(await audited(deps, pool)).toEqual([]);
  });

  it('opens when the last who waited has left', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 1);
    const ada = await join(deps, price, 'ada');
    await change(deps, price, { status: 'inactive' });
    await refundOrder(deps, { orderId: orders[0] ?? 0, tickets: 'all' });
    await serve(deps, price);
    await leave(deps, ada);
    await serve(deps, price);
    expect(await leftOf(deps, price)).toEqual({ avail: 1, capacity: 1 });
  });

  it('a sale that is extended after its list has ended has nobody who waits beside open stock', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 2);
    const endUnix = deps.nowUnix + 3 * day;
    await change(deps, price, { availableUntilUnix: endUnix });
    await join(deps, price, 'ada');
    deps.nowUnix = endUnix - day;
    await sweepLists(deps);
    expect(await leftOf(deps, price)).toEqual({ avail: 0, capacity: 2 });
    await change(deps, price, { availableUntilUnix: endUnix + 30 * day });
    expect(await statuses(deps, price)).toEqual(['ada passed']);
    // She is at the end of the line again, and now the stock is closed.
    expect(await join(deps, price, 'ada')).toMatchObject({ status: 'waiting', created: deps.nowUnix });
    await refundOrder(deps, { orderId: orders[0] ?? 0, tickets: 'all' });
    const { basketId } = await openBasket(table, deps);
    expect(await snatch(deps, price, basketId)).toBe('waited_for');
    expect(await audited(deps, price)).toEqual([]);
  });

  it('a sale that is extended before anybody looks at the end of its list goes on, and nobody snatches', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 1);
    const endUnix = deps.nowUnix + 3 * day;
    await change(deps, price, { availableUntilUnix: endUnix });
    await join(deps, price, 'ada');
    deps.nowUnix = endUnix - day;
    await change(deps, price, { availableUntilUnix: endUnix + 30 * day });
    await refundOrder(deps, { orderId: orders[0] ?? 0, tickets: 'all' });
    const { basketId } = await openBasket(table, deps);
    expect(await snatch(deps, price, basketId)).toBe('waited_for');
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['ada offered']);
  });
});

const cancel = ({ orgId, nowUnix }: Deps, basketId: number) =>
  changeBasket(table, { orgId, basketId, decide: (basket) => cancelBasket(basket, nowUnix) });

async function change({ orgId }: Deps, { eventId, index }: PriceRecord, fields: Partial<PriceValues>): Promise<void> {
  const { outcome } = await updatePrice(table, orgId, { eventId, index }, { change: fields, ifMatch: undefined });
  expect(outcome).toBe('updated');
}
