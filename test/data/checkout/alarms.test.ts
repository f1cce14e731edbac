import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Refunded } from '../../../shared/payments/provider.ts';
import { log } from '../../../shared/platform/log.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  shortTimeout,
  statusOf,
  ticketsOf,
} from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('checkout alarms: problems that need an operator', () => {
  const logged = vi.spyOn(log, 'error');
  const loggedFields = () => logged.mock.calls.flatMap(([, fields]) => [fields]);
  afterEach(() => logged.mockClear());

  it('the sweeper logs PaymentUnsettled after the provider has not settled a payment for an hour', async () => {
    const { around = (provider) => provider } = shortTimeout;
    const deps = newCheckoutDeps(table, {
      around: (provider) => ({ ...around(provider), retrieve: () => Promise.reject(new Error('down')) }),
    });
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price);
    await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_late' });
    deps.nowUnix += 600;
    await sweepBaskets(deps);
    expect(loggedFields()).toEqual([]);
    deps.nowUnix += 3_600;
    await sweepBaskets(deps);
    expect(loggedFields()).toContainEqual({ outcome: 'PaymentUnsettled', org_id: deps.orgId, basket_id: basketId });
    expect(await statusOf(deps, basketId)).toBe('checking_out');
  });

  it('the sweeper logs RefundRefused when the provider refuses a pending refund', async () => {
    let asked = 0;
    const refund = async (): Promise<Refunded> => {
      asked += 1;
      if (asked === 1) throw new Error('down');
      return { outcome: 'refused', message: 'No funds.' };
    };
    const deps = newCheckoutDeps(table, { around: (provider) => ({ ...provider, refund }) });
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price);
    await checkOutWith(deps, basketId);
    expect(await refundOrder(deps, { orderId: basketId, tickets: 'all' })).toMatchObject({ outcome: 'recorded' });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(loggedFields()).toContainEqual({ outcome: 'RefundRefused', org_id: deps.orgId, basket_id: basketId });
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ sold: 1 });
  });
});
