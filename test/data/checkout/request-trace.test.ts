import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  shortTimeout,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { printedLines } from '../../support/printed-lines.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterEach(() => vi.unstubAllEnvs());

async function eventsOf({ orgId, nowUnix }: TestCheckoutDeps) {
  const nowMs = (nowUnix + 60) * 1000;
  const { events } = await readFeed(table, orgId, { limit: 100, after: undefined, sinceMs: 0, untilMs: nowMs, nowMs });
  return events.map(({ type, requestId }) => ({ type, requestId }));
}

describe('the request id of a checkout', () => {
  it('the order that the sweeper completes belongs to the request that began the checkout', async () => {
    const deps = { ...newCheckoutDeps(table, shortTimeout), requestId: 'req-checkout' };
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price);
    await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_late' });
    const later = { ...deps, clock: { nowMs: () => (deps.nowUnix + checkoutLeaseSeconds) * 1000 } };
    const lines = await printedLines(() => sweepBaskets(later));
    expect(lines).toContainEqual(
      expect.objectContaining({
        message: 'checkout completed',
        api_request_id: 'req-checkout',
        basket_id: basketId,
        outcome: 'confirmed',
      }),
    );
    expect(await eventsOf(deps)).toEqual([{ type: 'order.completed', requestId: 'req-checkout' }]);
  });

  it.each([
    ['the sweeper', (deps: TestCheckoutDeps) => sweepBaskets(deps)],
    [
      'the worker on the stream',
      (deps: TestCheckoutDeps, id: number) => executeRefunds({ ...deps, requestId: undefined }, id),
    ],
  ] as const)('the refund that %s completes belongs to the run of the CLI that began it', async (_who, complete) => {
    let isDown = false;
    const deps = newCheckoutDeps(table, {
      around: (provider) => ({
        ...provider,
        refund: (...call) => (isDown ? Promise.reject(new Error('down')) : provider.refund(...call)),
      }),
    });
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId: orderId } = await givenBasket(deps, price);
    await checkOutWith(deps, orderId);
    isDown = true;
    const byOperator = { ...deps, requestId: 'cli_1' };
    expect(await refundOrder(byOperator, { orderId, tickets: 'all' })).toMatchObject({ outcome: 'recorded' });
    isDown = false;
    const later = { ...deps, clock: { nowMs: () => (deps.nowUnix + 3_600) * 1000 } };
    const lines = await printedLines(() => complete(later, orderId));
    expect(lines).toContainEqual(
      expect.objectContaining({ message: 'refund executed', api_request_id: 'cli_1', outcome: 'refunded' }),
    );
    deps.nowUnix += 7_200;
    expect(await eventsOf(deps)).toEqual([
      { type: 'order.completed', requestId: 'req-1' },
      { type: 'order.refunded', requestId: 'cli_1' },
    ]);
  });
});
