import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
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
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** More than are swept at once, so without a list of their own they would take all workers. */
const unanswered = 12;
const plain = 15;

describe('sweeping baskets while the payment provider is down', () => {
  it('expired baskets are released in the same run, before the provider has answered a single call', async () => {
    let outage: Promise<void> | undefined;
    let endOutage = (): void => undefined;
    let calls = 0;
    const deps = newCheckoutDeps(table, {
      around: (provider) => {
        const { around = (same) => same } = shortTimeout;
        const fast = around(provider);
        return {
          ...fast,
          async retrieve(...request) {
            calls += 1;
            await outage;
            return fast.retrieve(...request);
          },
        };
      },
    });
    const { price } = await givenOnSale(table, deps.orgId);
    const paying: number[] = [];
    for (let index = 0; index < unanswered; index += 1) {
      const { basketId } = await givenBasket(deps, price);
      await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_timeout' });
      paying.push(basketId);
    }
    const expiring: number[] = [];
    for (let index = 0; index < plain; index += 1) expiring.push((await givenBasket(deps, price)).basketId);
    const statuses = (ids: readonly number[]) => Promise.all(ids.map((id) => statusOf(deps, id)));
    const all = (status: string, count: number) => Array.from({ length: count }, () => status);

    deps.nowUnix += basketSeconds;
    outage = new Promise((resolve) => {
      endOutage = resolve;
    });
    const sweeping = sweepBaskets(deps);
    await expect.poll(() => statuses(expiring), { timeout: 30_000 }).toEqual(all('expired', plain));
    await expect.poll(() => calls, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(await statuses(paying)).toEqual(all('checking_out', unanswered));
    expect(await ticketsOf(deps, price, [...paying, ...expiring])).toMatchObject({ held: unanswered, sold: 0 });

    endOutage();
    expect(await sweeping).toMatchObject({ failed: 0 });
    await sweepBaskets(deps);
    expect(await statuses(paying)).toEqual(all('expired', unanswered));
    expect(await ticketsOf(deps, price, [...paying, ...expiring])).toMatchObject({ held: 0, sold: 0 });
  });
});
