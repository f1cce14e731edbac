import { beforeAll, describe, expect, it } from 'vitest';
import { readSales } from '../../../shared/data/counters/sales.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { sumOf } from '../../../shared/domain/money.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  type TestCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { cash, givenCounterSale } from '../../support/counter.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const capacity = 12;

/** Sells one ticket after the other until none is left, and refunds every third sale. Returns how many tickets it sold and kept. */
async function sellOut(deps: TestCheckoutDeps, sell: () => Promise<number>, returnedBy?: 'cash'): Promise<number> {
  let kept = 0;
  for (let sale = 1; sale <= 2 * capacity; sale += 1) {
    const orderId = await sell().catch(() => undefined);
    if (orderId === undefined) return kept;
    kept += 1;
    if (sale % 3 !== 0) continue;
    const handed = returnedBy && { kind: returnedBy, station: 'till', operator: null, reference: null };
    const request = { orderId, tickets: 'all', reason: null, returnedBy: handed } as const;
    const refunded = await requestRefund(deps, request, () => []);
    expect(refunded.outcome).toBe('recorded');
    await executeRefunds(deps, orderId);
    kept -= 1;
  }
  return kept;
}

describe('a match that is sold at two counters and in the browser at once', () => {
  it('is sold out exactly, with refunds in between, and nothing contradicts', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId, { capacity });
    // Every fourth sale is given away: it takes a place as every other.
    let sales = 0;
    const atCounter = (station: string) => async () => {
      sales += 1;
      const free = sales % 4 === 0 && ({ kind: 'complimentary', reason: 'Press' } as const);
      return (await givenCounterSale(deps, price, { tender: { ...cash, station, ...free } })).placed.order.orderId;
    };
    const inBrowser = async () => {
      const { basketId } = await givenBasket(deps, price, 1);
      const { outcome } = await checkOutWith(deps, basketId);
      if (outcome !== 'confirmed') throw new Error(outcome);
      return basketId;
    };
    const kept = await Promise.all([
      sellOut(deps, atCounter('till 1'), 'cash'),
      sellOut(deps, atCounter('till 2'), 'cash'),
      sellOut(deps, inBrowser),
    ]);
    const sold = sumOf(kept);
    const { available, sold: counted } = await ticketsOf(deps, price, []);
    expect([counted, available]).toEqual([sold, capacity - sold]);
    const counters = [...(await readSales(table, deps.orgId, price.eventId)).values()];
    expect(sumOf(counters.map(({ tickets }) => tickets))).toBe(sold);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
