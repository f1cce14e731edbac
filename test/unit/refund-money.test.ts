import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineItemUnits } from '../../shared/domain/baskets/money.ts';
import { beginRefund, endRefund, planRefund, type RefundPlan } from '../../shared/domain/baskets/refunds.ts';
import { entryOf } from '../../shared/domain/journal/entries/entry-of.ts';
import { linesOf, moneyMinor } from '../../shared/domain/journal/entry.ts';
import {
  addSettled,
  netMinor,
  settledChange,
  settledSale,
  totalSettled,
} from '../../shared/domain/journal/settlement.ts';
import { allocate, containedTaxMinor, sumOf } from '../../shared/domain/money.ts';
import { type ChangedOrder, changeOrder } from '../../shared/domain/orders/change-order.ts';
import { type OrderWithTickets, orderProblem, orderRecords } from '../../shared/domain/orders/order.ts';
import { ticketCostMinor, ticketPriceMinor } from '../../shared/domain/orders/ticket-money.ts';
import { anOrder, aTicket } from '../../tools/fixtures/orders.ts';
import { basketOf, now } from '../support/basket-rules.ts';
import {
  amounts,
  currencies,
  groupings,
  groupsOf,
  isTickets,
  lineOfTest,
  paidBasket,
  soldOrders,
} from '../support/random-orders.ts';

/** Refunds every ticket in random groups. The provider refuses some refunds, whose tickets are refunded at the end. */
function refundAll(placed: OrderWithTickets, groups: readonly (readonly number[])[], refusals: readonly boolean[]) {
  let [basket, order] = [paidBasket(placed), placed];
  const done: (RefundPlan & { readonly changed: ChangedOrder })[] = [];
  const refund = (wanted: 'all' | readonly number[], isRefused: boolean) => {
    const plan = planRefund(basket, order, { tickets: wanted });
    if (plan.ticketIds.length === 0) return;
    basket = basketOf(beginRefund(basket, plan, { nowUnix: now, reason: null, requestId: null }));
    const { number } = basket.refunds.at(-1) ?? { number: 0 };
    basket = basketOf(endRefund(basket, number, isRefused ? 'refused' : 'done'));
    if (isRefused) return;
    const changed = changeOrder(order, { tickets: plan.ticketIds, to: 'refunded', atUnix: now });
    order = changed.after;
    done.push({ ...plan, changed });
  };
  for (const [index, group] of groups.entries()) refund(group, refusals[index] ?? false);
  refund('all', false);
  return { done, order: order.order };
}

const refusalLists = fc.array(fc.boolean(), { maxLength: 7 });

function expectExactRefunds(placed: OrderWithTickets, groupOf: readonly number[], refusals: readonly boolean[]) {
  const cost = new Map(placed.tickets.map((ticket) => [ticket.ticketId, ticketCostMinor(ticket)]));
  const { done, order } = refundAll(placed, groupsOf(placed, groupOf), refusals);
  for (const { ticketIds, amountMinor } of done.slice(0, -1)) {
    expect(amountMinor).toBe(sumOf(ticketIds.map((id) => cost.get(id) ?? Number.NaN)));
  }
  expect(sumOf(done.map(({ amountMinor }) => amountMinor))).toBe(placed.order.totalMinor);
  const last = done.at(-1);
  const fee = placed.order.transactionFeeMinor;
  expect(last?.amountMinor).toBe(sumOf((last?.ticketIds ?? []).map((id) => cost.get(id) ?? Number.NaN)) + fee);
  expect([order.status, order.refundedMinor]).toEqual(['refunded', placed.order.totalMinor]);
}

describe('refunds of an order', () => {
  it('return what their tickets cost, and all of them what was paid, in any order and grouping', () => {
    fc.assert(
      fc.property(soldOrders, groupings, refusalLists, ({ placed, basketMinor }, groupOf, refusals) => {
        const { order, tickets } = placed;
        expect(order.totalMinor).toBe(basketMinor + order.transactionFeeMinor);
        expect(order.discountMinor).toBe(sumOf(tickets.map((ticket) => ticket.discountMinor)));
        for (const ticket of tickets) expect(ticket.discountMinor).toBeLessThanOrEqual(ticketPriceMinor(ticket));
        expectExactRefunds(placed, groupOf, refusals);
      }),
      { numRuns: 150 },
    );
  });

  it('enter the journal: every entry adds up to 0, and after the last refund no amount, tax or ticket is left', () => {
    fc.assert(
      fc.property(soldOrders, groupings, refusalLists, ({ placed }, groupOf, refusals) => {
        const booked = { ...placed, order: { ...placed.order, isBooked: true } };
        const { done } = refundAll(booked, groupsOf(booked, groupOf), refusals);
        const refunds = done.map(({ changed, amountMinor }) =>
          entryOf({
            moved: 'refund',
            order: changed.after.order,
            tickets: changed.changed,
            memberships: changed.ended,
            refund: { amountMinor },
          }),
        );
        const sale = entryOf({ moved: 'sale', ...booked, receivableMinor: 0 });
        const entries = [sale, ...refunds].flatMap((entry) => entry ?? []);
        const received = [booked.order.totalMinor, ...done.map(({ amountMinor }) => 0 - amountMinor)];
        expect(entries.map(moneyMinor)).toEqual(received);
        for (const entry of entries) expect(sumOf(linesOf(entry).map(({ amountMinor }) => amountMinor))).toBe(0);
        const byAccount = Map.groupBy(entries.flatMap(linesOf), ({ account }) => account);
        for (const ofAccount of byAccount.values()) {
          expect(sumOf(ofAccount.map(({ amountMinor }) => amountMinor))).toBe(0);
          expect(sumOf(ofAccount.map(({ taxMinor }) => taxMinor))).toBe(0);
        }
        expect(sumOf((byAccount.get('tickets') ?? []).map(({ quantity }) => quantity ?? Number.NaN))).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it('enter the settlement: discounts and fees as they were sold, and after the last refund nothing net', () => {
    fc.assert(
      fc.property(soldOrders, groupings, ({ placed }, groupOf) => {
        const { done } = refundAll(placed, groupsOf(placed, groupOf), []);
        const refunds = done.map(({ changed, amountMinor }) => settledChange(changed, amountMinor));
        const sale = totalSettled(settledSale(placed));
        expect(sale.discountsMinor).toBe(placed.order.discountMinor);
        expect(netMinor(sale)).toBe(placed.order.totalMinor);
        const settled = totalSettled(addSettled([settledSale(placed), ...refunds].flatMap((one) => [...one])));
        const { refundsMinor: paid } = settled;
        expect([paid, netMinor(settled), settled.taxMinor, settled.tickets]).toEqual([
          placed.order.totalMinor,
          0,
          0,
          0,
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('return the same for an order that names its discount only as a whole, as an import does', () => {
    fc.assert(
      fc.property(soldOrders, fc.nat(100), groupings, refusalLists, ({ placed }, percent, groupOf, refusals) => {
        const { order, tickets } = placed;
        const plain = tickets.map((ticket) => aTicket({ ...ticket, discountMinor: 0, status: 1 }));
        const discountMinor = Math.floor((sumOf(plain.map(ticketCostMinor)) * percent) / 100);
        const whole = anOrder({ ...order, status: 'confirmed', discountMinor, tickets: plain });
        expect(orderProblem({ ...whole, orderId: 64 })).toBeUndefined();
        const imported = orderRecords(whole);
        expect(sumOf(imported.tickets.map((ticket) => ticket.discountMinor))).toBe(discountMinor);
        expectExactRefunds(imported, groupOf, refusals);
      }),
      { numRuns: 100 },
    );
  });
});

describe('what reduces an order', () => {
  it('is divided without a rest, and never by more than a ticket costs', () => {
    fc.assert(
      fc.property(
        currencies,
        fc.array(amounts, { minLength: 1, maxLength: 40 }),
        fc.nat(),
        (currency, weights, some) => {
          const minor = some % (sumOf(weights) + 1);
          const parts = allocate(minor, weights, currency);
          expect(sumOf(parts)).toBe(minor);
          for (const [index, part] of parts.entries()) expect(part).toBeLessThanOrEqual(weights[index] ?? 0);
        },
      ),
    );
    expect(allocate(100, [1, 1, 1], 'AUD')).toEqual([34, 33, 33]);
    expect(allocate(100, [10, 10, 20], 'KWD')).toEqual([30, 20, 50]);
  });

  it('is refused if it is more than the tickets and their fees, or less than the tickets name', () => {
    const of = (discountMinor: number, ofTicket = 0) =>
      orderProblem(
        anOrder({ discountMinor, transactionFeeMinor: 500, tickets: [aTicket({ discountMinor: ofTicket })] }),
      );
    expect(of(2_275 + 500)).toBeUndefined();
    expect(of(2_276 + 500)).toBe('its discount is larger than its tickets and fees');
    expect(of(5, 6)).toBe('its discount is smaller than those of its tickets');
  });
});

describe('the tax that a ticket contains', () => {
  it.each([
    [1_200, 20, 200],
    [1_000, 19, 160],
    [11, 10, 1],
    [105, 5, 5],
    [1_050, 100, 525],
    [1, 100, 1],
    [1_999, 8.875, 163],
    [1_000, 0, 0],
    [1_000, null, 0],
  ])('of %d at %d percent is %d, half a unit rounded up', (minor, rate, tax) => {
    expect(containedTaxMinor(minor, rate)).toBe(tax);
  });

  it('is that of its price less rebate and discount', () => {
    const line = {
      ...lineOfTest({
        quantity: 1,
        people: 1,
        faceMinor: 3_000,
        rebate: 0,
        serviceFeeMinor: 100,
        serviceTaxMinor: 10,
        adjustments: [{ reason: 'code', source: null, amountMinor: 600 }],
        taxRate: 20,
      }),
    };
    if (!isTickets(line)) throw new Error('A line of tickets is expected.');
    expect(lineItemUnits(line, 'AUD')).toMatchObject([{ discountMinor: 600, taxMinor: 400 }]);
  });
});
