import { expect } from 'vitest';
import { sweepBaskets } from '../../../shared/checkout/sweep-baskets.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { sandboxProvider } from '../../../shared/payments/sandbox.ts';
import {
  checkOutWith,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  paidCharges,
  shortTimeout,
  statusOf,
  type TestCheckoutDeps,
  ticketsOf,
} from '../baskets.ts';
import { crashingProvider, crashingTable, Life } from './crashing-deps.ts';

/** How somebody finds a checkout whose process has died. */
export type Rescue = 'sweep' | 'retry' | 'other card';

export interface Story {
  readonly table: Table;
  readonly orgId: string;
  readonly card: string;
  readonly dies: { readonly at: number; readonly when: 'before' | 'after' };
  readonly rescue: Rescue;
  /** Where the first one who comes to the rescue dies too. */
  readonly rescuerDies?: { readonly at: number; readonly when: 'before' | 'after' };
}

/**
 * A checkout whose process dies at one of its calls, and what becomes of the basket when others find it. Whatever it is, there is
 * one charge and one order, or none of both, and every ticket is somewhere. Answers whether the process did die.
 */
export async function runCheckoutCrash(story: Story): Promise<boolean> {
  const { table, orgId, card, dies, rescue } = story;
  const deps = checkoutDepsOf(table, orgId, shortTimeout);
  const { price } = await givenOnSale(table, orgId, { capacity: 5 });
  const { basketId } = await givenBasket(deps, price, 2);
  const life = new Life(dies.at, dies.when);
  const answered = await life.survive(checkOutWith(crashing(deps, life), basketId, { paymentMethod: card }));

  deps.nowUnix += checkoutLeaseSeconds;
  if (story.rescuerDies !== undefined) {
    const rescuer = new Life(story.rescuerDies.at, story.rescuerDies.when);
    await rescuer.survive(rescueIt(crashing(deps, rescuer), basketId, story));
    deps.nowUnix += 2 * checkoutLeaseSeconds;
  }
  await rescueIt(deps, basketId, story);
  // Who tries again with a card that is never answered may be the first whose payment begins, and hears nothing either.
  const isAnswered = rescue === 'other card' || (rescue === 'retry' && card !== 'pm_card_late');
  if (isAnswered) expect(await statusOf(deps, basketId), 'whoever tries again gets through').toBe('checked_out');

  deps.nowUnix += 3_600;
  await sweepBaskets(deps);
  const placed = await readOrderWithTickets(table, orgId, basketId);
  const orders = placed === undefined ? 0 : 1;
  const [paid, events] = [await paidCharges(deps), await eventsOf(deps)];
  expect({ charges: paid.length, events }, JSON.stringify(story.dies)).toEqual({ charges: orders, events: orders });
  expect(paid.every(({ refundedMinor, amountMinor }) => refundedMinor === 0 && amountMinor === 6_430)).toBe(true);
  expect(await statusOf(deps, basketId)).toBe(orders === 1 ? 'checked_out' : 'expired');
  expect(await ticketsOf(deps, price, [basketId])).toEqual({
    available: 5 - 2 * orders,
    held: 0,
    sold: 2 * orders,
    capacity: 5,
  });
  return answered === undefined;
}

function crashing(deps: TestCheckoutDeps, life: Life): TestCheckoutDeps {
  const provider = crashingProvider(sandboxProvider(deps.table), life);
  const asked = shortTimeout.around?.(provider) ?? provider;
  const payments = { ...deps.payments, current: async () => asked, named: async () => asked };
  return { ...deps, table: crashingTable(deps.table, life), payments };
}

async function rescueIt(deps: TestCheckoutDeps, basketId: number, { rescue, card }: Story): Promise<void> {
  if (rescue === 'sweep') await sweepBaskets(deps);
  else
    await checkOutWith(deps, basketId, {
      paymentMethod: rescue === 'retry' && card !== 'pm_card_timeout' ? card : 'pm_card_visa',
    });
}

async function eventsOf({ table, orgId, nowUnix }: TestCheckoutDeps): Promise<number> {
  const nowMs = (nowUnix + 60) * 1000;
  return (await readFeed(table, orgId, { limit: 100, after: undefined, sinceMs: 0, untilMs: nowMs, nowMs })).events
    .length;
}
