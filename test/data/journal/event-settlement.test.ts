import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/events/event-settlement.ts';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { readSettlement } from '../../../shared/data/counters/settlement.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { JournalEntry } from '../../../shared/domain/journal/entry.ts';
import { netMinor, totalSettled } from '../../../shared/domain/journal/settlement.ts';
import { sumOf } from '../../../shared/domain/money.ts';
import { localDate, localDayEnd, localDayStart, wholeLocalDays } from '../../../shared/domain/time/local-time.ts';
import { eventSettlement } from '../../../shared/operations/events/event-settlement.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { addItem, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** An event with two prices, and a shop that sells it at the time of `deps`. */
async function givenShop(orgId: string) {
  const deps = checkoutDepsOf(table, orgId);
  const { event, price } = await givenOnSale(table, orgId, { capacity: 1_000, taxRate: 10 });
  const { eventId } = event;
  const other = await givenPrice(table, orgId, {
    eventId,
    categoryId: price.categoryId,
    capacity: 1_000,
    rebateMinor: 450,
  });
  const sell = async (tickets: number, others = 0): Promise<number> => {
    const { basketId } = await givenBasket(deps, price, tickets);
    if (others > 0) await addItem(deps, basketId, other, others);
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    return basketId;
  };
  const settle = (range: { unix_start?: number; unix_end?: number } = {}) =>
    callHandler(eventSettlement, handle, { params: { event_id: String(eventId) }, query: range }, { table, orgId });
  return { deps, event, price, other, sell, settle };
}

/** What the entries of an order say about revenue: positive, by price, and for the order itself. */
function revenueOf(entries: readonly JournalEntry[]) {
  const prices = entries.flatMap((entry) => entry.prices);
  const net = sumOf(prices.map((one) => one.netMinor + one.serviceFeeMinor + one.serviceTaxMinor));
  return {
    net: net + sumOf(entries.map(({ transactionFeeMinor }) => transactionFeeMinor)),
    tax: sumOf(prices.map(({ taxMinor }) => taxMinor)),
    refunds: 0 - sumOf(entries.filter(({ kind }) => kind === 'refund').flatMap(({ money }) => Object.values(money))),
  };
}

describe('event-settlement', () => {
  it('event-settlement shows what was sold, refunded and kept, by price and in total', async () => {
    const { deps, event, price, other, sell, settle } = await givenShop('org_settled');
    const orderId = await sell(3, 1);
    await refundOrder(deps, { orderId, tickets: [orderId + 1] });
    await cancelOrRefundTickets(deps, orderId, { tickets: [orderId + 2], to: 'cancelled' });
    const adult = {
      gross: 90,
      discounts: 0,
      fees: 6.45,
      tax: 5.46,
      refunds: 32.15,
      kept: 32.15,
      net: 64.3,
      tickets: 1,
    };
    const answer = await settle();
    expect(answer).toMatchObject({
      event_id: String(event.eventId),
      currency: 'AUD',
      prices: [
        { price_id: price.priceId, price_title: price.title, ...adult },
        { price_id: other.priceId, tickets: 1 },
      ],
    });
    const sales = await readSales(table, 'org_settled', event.eventId);
    const total = totalSettled(await readSettlement(table, 'org_settled', event.eventId));
    expect(answer).toMatchObject({ total: { net: netMinor(total) / 100, tickets: 2 } });
    // The sales summary has neither what was refunded nor what was kept.
    expect(netMinor(total) - total.keptMinor).toBe(sumOf([...sales.values()].map(({ grossMinor }) => grossMinor)));
    expect(total.tickets).toBe(sumOf([...sales.values()].map(({ tickets }) => tickets)));
    // Refunded at last, what was cancelled is no longer kept.
    await refundOrder(deps, { orderId, tickets: 'all' });
    expect(await settle()).toMatchObject({
      total: { refunds: 124.1, kept: 0, net: 0, tax: 0, tickets: 0 },
    });
  });

  it('event-settlement of a month that is over stays the same after a refund in the next one', async () => {
    const { deps, event, sell, settle } = await givenShop('org_month');
    const orderId = await sell(2);
    const dayEnd = localDayEnd(deps.nowUnix, event.timezone);
    const before = await settle({ unix_end: dayEnd });
    deps.nowUnix = dayEnd + 5;
    await refundOrder(deps, { orderId, tickets: [orderId + 1] });
    await cancelOrRefundTickets(deps, orderId, { tickets: [orderId + 2], to: 'cancelled' });
    expect(await settle({ unix_end: dayEnd })).toEqual(before);
    expect(await settle({ unix_start: dayEnd })).toMatchObject({
      total: { gross: 0, fees: 0, refunds: 32.15, kept: 32.15, net: -32.15, tickets: -2 },
    });
  });

  it('event-settlement equals the journal to the cent, for whole local days and in total', async () => {
    const { deps, event, sell } = await givenShop('org_equal');
    const { orgId } = deps;
    const orders: number[] = [];
    for (let nth = 0; nth < 14; nth += 1) {
      orders.push(await sell(1 + (nth % 3), nth % 2));
      const [early, late] = [orders[nth - 1] ?? 0, orders[nth - 2] ?? 0];
      if (nth % 3 === 1) await refundOrder(deps, { orderId: early, tickets: [early + 1] });
      if (nth % 4 === 2) await cancelOrRefundTickets(deps, late, { tickets: 'all', to: 'cancelled' });
      if (nth % 4 === 3) await refundOrder(deps, { orderId: late, tickets: 'all' });
      deps.nowUnix += 7 * 3_600 + 61;
    }
    const entries = (await Promise.all(orders.map((orderId) => entriesOfOrder(table, orgId, orderId)))).flat();
    const firstUnix = Math.min(...entries.map(({ atUnix }) => atUnix));
    const ranges = [
      {},
      ...[0, 1, 2, 3].flatMap((day) => {
        const start = localDayStart(firstUnix + day * 86_400, event.timezone);
        return [{ after: start }, { before: start + 1 }, { after: start + 3_600, before: start + 90_000 }];
      }),
    ].map((range) => wholeLocalDays(range, event.timezone));
    for (const range of ranges) {
      const { after = -1, before = Number.POSITIVE_INFINITY } = range;
      const own = entries.filter(({ atUnix }) => atUnix > after && atUnix < before);
      const total = totalSettled(await readSettlement(table, orgId, event.eventId, range));
      const { net, tax, refunds } = revenueOf(own);
      expect({ net: netMinor(total), tax: total.taxMinor, refunds: total.refundsMinor }, JSON.stringify(range)).toEqual(
        {
          net,
          tax,
          refunds,
        },
      );
    }
  });
});

describe('whole local days', () => {
  it.each([
    ['Australia/Melbourne', '2026-10-04T05:00:00Z', '2026-10-03T14:00:00Z', '2026-10-04T13:00:00Z'],
    ['Europe/London', '2026-10-25T12:00:00Z', '2026-10-24T23:00:00Z', '2026-10-26T00:00:00Z'],
    ['America/Santiago', '2026-09-06T12:00:00Z', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'],
    ['Asia/Kathmandu', '2026-11-16T00:00:00Z', '2026-11-15T18:15:00Z', '2026-11-16T18:15:00Z'],
  ])('of %s at %s begin at %s and end at %s, also when the clocks change', (timezone, at, start, end) => {
    const unix = (text: string): number => Date.parse(text) / 1000;
    expect(localDayStart(unix(at), timezone)).toBe(unix(start));
    expect(localDayEnd(unix(at), timezone)).toBe(unix(end));
    expect(localDate(unix(start), timezone)).toBe(localDate(unix(at), timezone));
    expect(wholeLocalDays({ after: unix(start), before: unix(end) }, timezone)).toEqual({
      after: unix(start) - 1,
      before: unix(end),
    });
    // Both bounds are excluded: a range from the last second of the day before has nothing of that day.
    const exact = { after: unix(start) - 1, before: unix(end) };
    expect(wholeLocalDays(exact, timezone)).toEqual(exact);
  });

  it('of an empty range and of the beginning of time are none', () => {
    expect(wholeLocalDays({ after: 10, before: 11 }, 'America/New_York')).toEqual({ after: 10, before: 11 });
    expect(wholeLocalDays({ after: 0 }, 'America/New_York')).toEqual({ after: -1, before: undefined });
  });
});
