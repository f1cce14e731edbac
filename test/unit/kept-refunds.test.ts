import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptOfCharge } from '../../shared/domain/baskets/keep.ts';
import { beginRefund, endRefund, planRefund } from '../../shared/domain/baskets/refunds.ts';
import { bookedChange } from '../../shared/domain/journal/booked-change.ts';
import { entryOf } from '../../shared/domain/journal/entries/entry-of.ts';
import { imbalanceMinor, moneyMinor, type NewEntry } from '../../shared/domain/journal/entry.ts';
import {
  addSettled,
  netMinor,
  type Settlement,
  settledSale,
  totalSettled,
} from '../../shared/domain/journal/settlement.ts';
import { isChargeable, majorUnits, sumOf } from '../../shared/domain/money.ts';
import { changeOrder } from '../../shared/domain/orders/change-order.ts';
import type { OrderWithTickets } from '../../shared/domain/orders/order.ts';
import { ticketCostMinor } from '../../shared/domain/orders/ticket-money.ts';
import { basketOf, now } from '../support/basket-rules.ts';
import { groupings, groupsOf, paidBasket, soldOrders } from '../support/random-orders.ts';

/** Refunds the tickets of an order in groups and keeps an amount of each, if all of a group cost as much. */
function refundKeeping(placed: OrderWithTickets, groups: readonly (readonly number[])[], keep: number) {
  let [basket, order] = [paidBasket(placed), placed];
  const settled = [settledSale(placed)];
  let keptMinor = 0;
  for (const group of groups) {
    const whole = planRefund(basket, order, { tickets: group });
    const plan = keptOfCharge(whole, order, [], keep);
    if ('outcome' in plan) {
      if (plan.outcome === 'keep_above_cost') expectRefused(order, group, plan.mostMinor);
      continue;
    }
    basket = basketOf(beginRefund(basket, plan, { nowUnix: now, reason: null, requestId: null }));
    basket = basketOf(endRefund(basket, basket.refunds.length, 'done'));
    const kept = { keepMinor: plan.keepMinor ?? 0, keptMinor: plan.keptMinor ?? 0 };
    expect(kept.keptMinor).toBe(kept.keepMinor * group.length);
    const wanted = { tickets: plan.ticketIds, to: 'refunded', atUnix: now, ...kept } as const;
    const changed = changeOrder(order, wanted);
    order = changed.after;
    keptMinor += kept.keptMinor;
    const booked = bookedChange(changed, wanted, plan);
    settled.push(booked.settled);
    const entry = booked.move && entryOf(booked.move);
    if (entry !== undefined) expectBooked(entry, booked.settled, plan.amountMinor);
  }
  return { order: order.order, keptMinor, settled };
}

function expectRefused({ tickets, order }: OrderWithTickets, group: readonly number[], mostMinor: number): void {
  const costs = tickets.filter(({ ticketId }) => group.includes(ticketId)).map(ticketCostMinor);
  expect(mostMinor).toBe(Math.min(...costs));
  expect(mostMinor).toBeLessThanOrEqual(order.totalMinor);
}

/** The entry adds up to 0, returns nothing twice, and settles the same. */
function expectBooked(entry: NewEntry, settlement: Settlement, amountMinor: number): void {
  expect([imbalanceMinor(entry), moneyMinor(entry)]).toEqual([0, 0 - amountMinor]);
  const parts = entry.prices.map((one) => one.netMinor + one.serviceFeeMinor + one.serviceTaxMinor);
  const { refundsMinor, taxMinor } = totalSettled(settlement);
  expect(refundsMinor).toBe(0 - sumOf(parts) - entry.transactionFeeMinor);
  expect(taxMinor).toBe(sumOf(entry.prices.map((one) => one.taxMinor)));
  for (const one of entry.prices) {
    expect(Math.max(one.netMinor, one.taxMinor, one.serviceFeeMinor, one.serviceTaxMinor)).toBeLessThanOrEqual(0);
  }
}

describe('refunds that keep an amount of each ticket', () => {
  it('return the rest, and what is kept stays revenue in journal and settlement alike', () => {
    fc.assert(
      fc.property(soldOrders, groupings, fc.nat(20_000), ({ placed }, groupOf, minor) => {
        const booked = { ...placed, order: { ...placed.order, isBooked: true } };
        const { currency } = booked.order;
        const keep = majorUnits(minor, currency);
        const { order, keptMinor, settled } = refundKeeping(booked, groupsOf(booked, groupOf), keep);
        if (!isChargeable(minor, currency)) expect([keptMinor, order.refundedMinor]).toEqual([0, 0]);
        const total = totalSettled(addSettled(settled.flatMap((one) => [...one])));
        expect([total.withheldMinor, order.keptMinor ?? 0]).toEqual([keptMinor, keptMinor]);
        expect(netMinor(total)).toBe(order.totalMinor - order.refundedMinor);
      }),
      { numRuns: 150 },
    );
  });
});
