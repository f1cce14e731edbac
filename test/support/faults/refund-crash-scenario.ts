import { expect } from 'vitest';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import type { CheckoutDeps } from '../../../shared/sales/deps.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { type RefundRequest, requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import {
  chargesOf,
  checkOutWith,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  givenTerrace,
  type TestCheckoutDeps,
  ticketsOf,
} from '../baskets.ts';
import { expectEntries } from '../journal.ts';
import { crashingDeps } from './crashing-deps.ts';

export interface PaidOrder {
  readonly deps: TestCheckoutDeps;
  readonly orderId: number;
  readonly ticketIds: readonly number[];
  readonly price: PriceRecord;
}

/** An order of three tickets, paid with the sandbox. */
export async function givenPaidOrder(table: Table, orgId: string, paymentMethod = 'pm_card_visa'): Promise<PaidOrder> {
  const { price } = await givenOnSale(table, orgId, { capacity: 10 });
  return givenPaidOrderOf(checkoutDepsOf(table, orgId), price, paymentMethod);
}

async function givenPaidOrderOf(
  deps: TestCheckoutDeps,
  price: PriceRecord,
  paymentMethod = 'pm_card_visa',
): Promise<PaidOrder> {
  const { basketId: orderId } = await givenBasket(deps, price, 3);
  const result = await checkOutWith(deps, orderId, { paymentMethod });
  if (result.outcome !== 'confirmed') throw new Error(result.outcome);
  return { deps, orderId, ticketIds: result.placed.tickets.map(({ ticketId }) => ticketId), price };
}

export async function eventsOf({ table, orgId, nowUnix }: TestCheckoutDeps) {
  const nowMs = (nowUnix + 60) * 1000;
  const { events } = await readFeed(table, orgId, { limit: 100, after: undefined, sinceMs: 0, untilMs: nowMs, nowMs });
  return events.map(({ body }) => JSON.parse(body));
}

/** Refunds as the API, its worker and the CLI do. */
export async function refundOrder(deps: CheckoutDeps, request: Omit<RefundRequest, 'reason'>) {
  const requested = await requestRefund(deps, { ...request, reason: 'Rain' }, () => []);
  await executeRefunds(deps, request.orderId);
  return requested;
}

export interface RefundCrash {
  readonly table: Table;
  readonly orgId: string;
  readonly crashes: { readonly at: number; readonly when: 'before' | 'after' };
  readonly recoverBy: 'sweep' | 'repeat';
  /** Whether the tickets are cancelled, without a refund, before they are refunded. */
  readonly cancelledBefore?: boolean;
}

/**
 * Runs a refund whose process crashes at one of its calls, and its recovery by the sweeper or by a repeat. Returns
 * whether the process crashed.
 */
export async function runRefundCrash(crash: RefundCrash): Promise<boolean> {
  const { table, orgId, crashes, recoverBy, cancelledBefore = false } = crash;
  // The tickets are taken from the price and from its pool.
  const { junior, pool } = await givenTerrace(table, orgId, { capacity: 13, juniors: 10 });
  const { deps, orderId, ticketIds, price } = await givenPaidOrderOf(checkoutDepsOf(table, orgId), junior);
  const tickets = ticketIds.slice(0, 2);
  if (cancelledBefore) await cancelOrRefundTickets(deps, orderId, { tickets, to: 'cancelled' });
  const { crashPoint, crashing } = await crashingDeps(deps, crashes);
  const answered = await crashPoint.resultOf(refundOrder(crashing, { orderId, tickets }));
  deps.nowUnix += 3_600;
  if (recoverBy === 'repeat') await refundOrder(deps, { orderId, tickets });
  await sweepBaskets(deps);

  const placed = await readOrderWithTickets(table, orgId, orderId);
  const refunded = placed?.tickets.filter(({ status }) => status === 3).length ?? 0;
  if (recoverBy === 'repeat') expect(refunded).toBe(2);
  else expect([0, 2]).toContain(refunded);
  expect(await chargesOf(deps)).toMatchObject([{ status: 'paid', refundedMinor: refunded * 3_215 }]);
  await expectEntries(deps, orderId, ['sale', ...(refunded === 0 ? [] : ['refund'])], JSON.stringify(crashes));
  const ended = cancelledBefore ? tickets.length : refunded;
  expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 7 + ended, sold: 3 - ended });
  expect(await ticketsOf(deps, pool, [])).toMatchObject({ available: 10 + ended, sold: 3 - ended });
  const events = (await eventsOf(deps)).map(({ type }) => type);
  expect(events).toEqual([
    'order.completed',
    ...(cancelledBefore ? ['order.cancelled'] : []),
    ...(refunded === 0 ? [] : ['order.refunded']),
  ]);
  return answered === undefined;
}
