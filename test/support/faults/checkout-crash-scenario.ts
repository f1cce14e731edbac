import { expect } from 'vitest';
import { membersOfCustomer } from '../../../shared/data/members/of-customer.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import type { OrderWithTickets } from '../../../shared/domain/orders/order.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  checkOutWith,
  countedFor,
  givenBasket,
  givenTerrace,
  shortTimeout,
  statusOf,
  type TestCheckoutDeps,
  ticketsOf,
} from '../baskets.ts';
import { expectEntries } from '../journal.ts';
import { addType, givenType, leftOf } from '../memberships.ts';
import { expectEventHinted, hintsOf } from '../order-events.ts';
import { givenShop, type PaymentWorld } from '../payment-worlds.ts';
import { CrashPoint, crashingProvider, crashingTable } from './crashing-deps.ts';

/** How a checkout whose process has crashed is recovered. */
export type Recovery = 'sweep' | 'retry' | 'other card';

export interface CheckoutCrash {
  readonly table: Table;
  readonly orgId: string;
  readonly world: PaymentWorld;
  readonly card: string;
  readonly crashes: { readonly at: number; readonly when: 'before' | 'after' };
  readonly recoverBy: Recovery;
  /** Whether the basket sells a membership too, which then proves the price of its tickets. */
  readonly withMembership?: boolean;
  /** Where the first recovery crashes too. */
  readonly recoveryCrashes?: { readonly at: number; readonly when: 'before' | 'after' };
}

const openedFrom = { tokenId: 'shop', address: 'somewhere' } as const;

/**
 * Runs a checkout whose process crashes at one of its calls, and its recovery. In every case there is one charge and
 * one order, or neither, a sweeper comes to the event of the order, and every ticket is accounted for. Returns whether the
 * process crashed.
 */
export async function runCheckoutCrash(scenario: CheckoutCrash): Promise<boolean> {
  const { table, orgId, world, card, crashes, recoverBy } = scenario;
  const { deps } = await givenShop(table, orgId, { world, capacity: 5, ...shortTimeout });
  const { junior: price, pool } = await givenTerrace(table, orgId, { capacity: 8, juniors: 5 });
  const { basketId } = await givenBasket(deps, price, 2, openedFrom);
  const type = scenario.withMembership ? await givenType(table, orgId, { capacity: 3 }) : undefined;
  if (type !== undefined) await addType(deps, basketId, type);
  const crashPoint = new CrashPoint(crashes.at, crashes.when);
  const answered = await crashPoint.resultOf(
    checkOutWith(crashing(deps, world, crashPoint), basketId, { paymentMethod: card }),
  );

  const about = JSON.stringify(scenario.crashes);
  await expectEventHinted(deps, basketId, about);
  deps.nowUnix += checkoutLeaseSeconds;
  if (scenario.recoveryCrashes !== undefined) {
    const recovery = new CrashPoint(scenario.recoveryCrashes.at, scenario.recoveryCrashes.when);
    await recovery.resultOf(recover(crashing(deps, world, recovery), basketId, scenario));
    deps.nowUnix += 2 * checkoutLeaseSeconds;
  }
  await recover(deps, basketId, scenario);
  await expectEventHinted(deps, basketId, about);
  // A retry with a card that is never answered may be the first whose payment starts, and is not answered either.
  const isAnswered = recoverBy === 'other card' || (recoverBy === 'retry' && card !== 'pm_card_late');
  if (isAnswered) expect(await statusOf(deps, basketId), 'a retry succeeds').toBe('checked_out');

  // The first run may make the order, the second one then finds the last hint.
  for (let run = 0; run < 2; run += 1) {
    deps.nowUnix += 3_600;
    await sweepBaskets(deps);
  }
  const placed = await readOrderWithTickets(table, orgId, basketId);
  const orders = placed === undefined ? 0 : 1;
  const [paid, events] = [await world.succeeded(table, orgId, basketId), await eventsOf(deps)];
  // order.completed, and member.created.
  const expected = type === undefined ? orders : 2 * orders;
  expect({ charges: paid.length, events }, about).toEqual({ charges: orders, events: expected });
  await expectEntries(deps, basketId, orders === 1 ? ['sale'] : [], about);
  // Only that of the end of a term is left.
  const soon = (await hintsOf(deps, 'basket')).filter(({ dueUnix }) => dueUnix < deps.nowUnix + 86_400);
  expect(soon, about).toEqual([]);
  expect(
    paid.every(({ refundedMinor, amountMinor }) => refundedMinor === 0 && amountMinor === 6_430 + (type ? 24_050 : 0)),
  ).toBe(true);
  if (type !== undefined) await expectMembership(deps, type, placed, about);
  expect(await statusOf(deps, basketId)).toBe(orders === 1 ? 'checked_out' : 'expired');
  // The tickets were taken from the price and from its pool.
  for (const [stock, capacity] of [
    [price, 5],
    [pool, 8],
  ] as const) {
    const sold = 2 * orders;
    expect(await ticketsOf(deps, stock, [basketId])).toEqual({ available: capacity - sold, held: 0, sold, capacity });
  }
  expect(await countedFor(table, orgId, openedFrom)).toBe(0);
  return answered === undefined;
}

/** An order has one paid member with one term, and otherwise there is none; every place of the type is accounted for. */
async function expectMembership(
  { table, orgId }: TestCheckoutDeps,
  type: TypeRecord,
  placed: OrderWithTickets | undefined,
  about: string,
): Promise<void> {
  const [sold] = placed?.memberships ?? [];
  const members = sold === undefined ? [] : await membersOfCustomer(table, orgId, placed?.order.userId ?? 0);
  const terms = sold === undefined ? [] : await termsOfMember(table, orgId, sold.memberId);
  expect(
    members.map(({ statusId }) => statusId),
    about,
  ).toEqual(placed === undefined ? [] : [1]);
  expect(
    terms.map(({ state }) => state),
    about,
  ).toEqual(placed === undefined ? [] : ['active']);
  expect(await leftOf(table, orgId, type), about).toBe(placed === undefined ? 3 : 2);
}

function crashing(deps: TestCheckoutDeps, world: PaymentWorld, crashPoint: CrashPoint): TestCheckoutDeps {
  const provider = crashingProvider(world.providerOf(deps.table), crashPoint);
  const asked = shortTimeout.around(provider);
  const payments = { ...deps.payments, current: async () => asked, byName: async () => asked };
  return { ...deps, table: crashingTable(deps.table, crashPoint), payments };
}

async function recover(deps: TestCheckoutDeps, basketId: number, { recoverBy, card }: CheckoutCrash): Promise<void> {
  if (recoverBy === 'sweep') await sweepBaskets(deps);
  else
    await checkOutWith(deps, basketId, {
      paymentMethod: recoverBy === 'retry' && card !== 'pm_card_timeout' ? card : 'pm_card_visa',
    });
}

async function eventsOf({ table, orgId, nowUnix }: TestCheckoutDeps): Promise<number> {
  const nowMs = (nowUnix + 60) * 1000;
  return (await readFeed(table, orgId, { limit: 100, after: undefined, sinceMs: 0, untilMs: nowMs, nowMs })).events
    .length;
}
