import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/orders/list-refunds-to-return.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listRefundsToReturn } from '../../../shared/operations/orders/list-refunds-to-return.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenCounterSale } from '../../support/counter.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Three orders of two tickets that were sold for cash, the first two of which are refunded where nobody hands money over. */
async function givenAwaited() {
  const deps = newCheckoutDeps(table);
  const { orgId } = deps;
  const { price } = await givenOnSale(table, orgId);
  const orderIds: number[] = [];
  for (let sold = 0; sold < 3; sold += 1) {
    orderIds.push((await givenCounterSale(deps, price, { quantity: 2 })).placed.order.orderId);
  }
  for (const orderId of orderIds.slice(0, 2)) {
    deps.nowUnix += 60;
    await requestRefund(deps, { orderId, tickets: 'all', reason: 'Storm', returnedBy: 'later' }, () => []);
  }
  const list = (query: object = {}) =>
    callHandler(listRefundsToReturn, handle, { query: { ...query } }, { table, orgId });
  return { orgId, orderIds, list };
}

describe('list-refunds-to-return', () => {
  it('lists what staff have to hand over, the oldest first, until somebody has', async () => {
    const { orgId, orderIds, list } = await givenAwaited();
    const awaited = { status: 'pending', amount: 64.3, to_return: 64.3, currency: 'AUD', reason: 'Storm' };
    expect(await list()).toMatchObject({
      object: 'refunds_to_return',
      has_more: false,
      data: orderIds.slice(0, 2).map((order_id) => ({ ...awaited, order_id, refund_id: `${order_id}-1` })),
    });
    await orderCalls(table, orgId, orderIds[0] ?? 0, ['counter']).returned(1);
    expect(await list()).toMatchObject({ data: [{ order_id: orderIds[1] }] });
  });

  it('goes on page by page', async () => {
    const { orderIds, list } = await givenAwaited();
    const first = await list({ limit: 1 });
    expect(first).toMatchObject({ has_more: true, data: [{ order_id: orderIds[0] }] });
    const { next_cursor: cursor } = first;
    expect(await list({ limit: 1, cursor })).toMatchObject({ has_more: false, data: [{ order_id: orderIds[1] }] });
  });

  it('has nothing of a refund that was handed over at once', async () => {
    const { orgId, orderIds, list } = await givenAwaited();
    await orderCalls(table, orgId, orderIds[2] ?? 0, ['orders:write', 'counter']).refund({ returned_by: 'cash' });
    expect((await list()).data).toHaveLength(2);
  });
});
