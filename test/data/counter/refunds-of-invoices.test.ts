import { beforeAll, describe, expect, it } from 'vitest';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOverdueOrders } from '../../../shared/data/orders/overdue.ts';
import { findOrderRef, readOrder, readOrderAt, readTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { sumOf } from '../../../shared/domain/money.ts';
import { invoiceOutstandingMinor } from '../../../shared/domain/orders/tender.ts';
import { ticketStatusOf } from '../../../shared/domain/orders/ticket-status.ts';
import { recordOrderPayment } from '../../../shared/sales/invoices/record-order-payment.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { findingsOf } from '../../support/audit.ts';
import { givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { cash, givenCounterSale } from '../../support/counter.ts';
import { cancelWith, finishJob } from '../../support/jobs.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Four tickets of 32.15 on an invoice, of which this much was paid. */
async function givenInvoice(paid: number, valid?: 'when_paid', onSale = givenOnSale) {
  const deps = newCheckoutDeps(table);
  const { price } = await onSale(table, deps.orgId, { capacity: 10 });
  const tender = { ...cash, kind: 'invoice', dueUnix: deps.nowUnix + 86_400, valid } as const;
  const { placed } = await givenCounterSale(deps, price, { quantity: 4, tender });
  const { orderId } = placed.order;
  const ref = await findOrderRef(table, deps.orgId, String(orderId));
  if (ref === undefined) throw new Error('There is no such order.');
  const payment = { kind: 'bank_transfer', reference: null, station: null, operator: null, amount: paid } as const;
  if (paid > 0) await recordOrderPayment(deps, ref, payment, () => []);
  const owedMinor = async () => {
    const order = await readOrder(table, deps.orgId, orderId);
    return order && invoiceOutstandingMinor(order);
  };
  const money = async () =>
    (await entriesOfOrder(table, deps.orgId, orderId)).map((entry) => [entry.kind, entry.money] as const);
  return {
    deps,
    orderId,
    ref,
    owedMinor,
    money,
    calls: orderCalls(table, deps.orgId, orderId, ['orders:write', 'counter']),
  };
}

describe('the cancellation of an invoice', () => {
  it('is refused while something is owed, because nobody would owe it for tickets that are gone', async () => {
    const { orderId, ref, deps, calls, owedMinor } = await givenInvoice(50);
    const refused = { code: 'invoice_open', status: 409 };
    await expect(calls.cancel()).rejects.toMatchObject(refused);
    await expect(calls.cancel({ ticket_ids: [orderId + 1] })).rejects.toMatchObject(refused);
    expect(await owedMinor()).toBe(4 * 3_215 - 5_000);
    const rest = { kind: 'cash', reference: null, station: null, operator: null, amount: 78.6 } as const;
    expect(await recordOrderPayment(deps, ref, rest, () => [])).toMatchObject({ outcome: 'paid' });
    expect(await calls.cancel()).toMatchObject({ order_status: 'cancelled' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it.each([0, 50, 128.6])(
    'with its event and refund none writes off what is owed and keeps what was paid: %d',
    async (paid) => {
      const { deps, ref, owedMinor, money, calls } = await givenInvoice(paid);
      deps.nowUnix += 5;
      await cancelWith(deps, ref.eventId, 'none');
      expect(await finishJob(deps, ref.eventId)).toMatchObject({ status: 'done', done: 1, failed: 0 });
      expect(await owedMinor()).toBe(0);
      expect(await calls.refunds()).not.toMatchObject({ data: [{ status: 'pending' }] });
      const entries = await money();
      expect(sumOf(entries.map(([, { receivable = 0 }]) => receivable))).toBe(0);
      expect(sumOf(entries.map(([, { bank = 0, cash: inCash = 0 }]) => bank + inCash))).toBe(Math.round(paid * 100));
      const { tickets } = await readOrderAt(table, deps.orgId, ref);
      expect(tickets.filter(({ status }) => status < 2)).toEqual([]);
      const overdue = { after: undefined, limit: 10, nowUnix: deps.nowUnix + 864_000 };
      expect(await readOverdueOrders(table, deps.orgId, overdue)).toMatchObject({ orders: [] });
      expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
    },
  );

  it('with its event also keeps an amount that a bank transfers and the provider could not charge', async () => {
    const { deps, ref, owedMinor, money } = await givenInvoice(10.005, undefined, async (_, orgId, changes) => {
      const event = await givenEvent(table, orgId, { startUnix: farFutureUnix, currency: 'KWD' });
      const { categoryId } = await givenPriceCategory(table, orgId, { eventId: event.eventId });
      const inFils = { currency: 'KWD', priceMinor: 32_000, serviceFeeMinor: 0, serviceTaxMinor: 0 };
      const price = await givenPrice(table, orgId, { eventId: event.eventId, categoryId, ...inFils, ...changes });
      return { event, price };
    });
    deps.nowUnix += 5;
    await cancelWith(deps, ref.eventId, 'none');
    expect(await finishJob(deps, ref.eventId)).toMatchObject({ status: 'done', done: 1, failed: 0 });
    expect(await owedMinor()).toBe(0);
    expect(sumOf((await money()).map(([, { bank = 0 }]) => bank))).toBe(10_005);
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
  });
});

describe('the refund of an invoice', () => {
  it('that nobody has paid writes off what is owed, and returns nothing', async () => {
    const { deps, orderId, owedMinor, money, calls } = await givenInvoice(0);
    expect(await calls.refund({ ticket_ids: [orderId + 1] })).toMatchObject({ status: 'succeeded', amount: 0 });
    expect(await owedMinor()).toBe(3 * 3_215);
    expect((await money()).at(-1)).toEqual(['write_off', { receivable: -3_215 }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await calls.refund();
    expect(await owedMinor()).toBe(0);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('that is paid in part writes off what is owed first, and returns at most what was paid', async () => {
    const { deps, orderId, owedMinor, money, calls } = await givenInvoice(50);
    expect(await calls.refund({ ticket_ids: [orderId + 1, orderId + 2] })).toMatchObject({ amount: 0 });
    expect(await owedMinor()).toBe(4 * 3_215 - 5_000 - 2 * 3_215);
    await expect(calls.refund()).rejects.toMatchObject({ code: 'parameter_missing' });
    expect(await calls.refund({ returned_by: 'cash' })).toMatchObject({ amount: 50, returned_by: 'cash' });
    expect(await owedMinor()).toBe(0);
    expect((await money()).at(-1)).toEqual(['refund', { cash: -5_000, receivable: -1_430 }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('after which nothing is owed makes the tickets valid that waited for the payment', async () => {
    const { deps, orderId, ref, owedMinor, calls } = await givenInvoice(96.45, 'when_paid');
    const statuses = async () => {
      const { tickets } = await readOrderAt(table, deps.orgId, ref);
      const rows = await readTickets(
        table,
        deps.orgId,
        tickets.map(({ barcode }) => barcode),
      );
      const atGates = rows.map(({ status }) => status);
      expect(atGates).toEqual(tickets.map(({ status }) => status));
      return atGates;
    };
    expect(await statuses()).toEqual([0, 0, 0, 0]);
    await calls.refund({ ticket_ids: [orderId + 1] });
    expect(await owedMinor()).toBe(0);
    expect(await statuses()).toEqual([ticketStatusOf.refunded, 1, 1, 1]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('whose money somebody hands over later is not owed any more from the request on', async () => {
    const { deps, orderId, owedMinor, calls } = await givenInvoice(50);
    const request = { orderId, tickets: 'all', reason: null, returnedBy: 'later' } as const;
    expect(await requestRefund(deps, request, () => [])).toMatchObject({ outcome: 'recorded' });
    expect(await calls.refunds()).toMatchObject({ data: [{ status: 'pending', amount: 50, to_return: 50 }] });
    expect(await owedMinor()).toBe(0);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await calls.returned(1);
    expect(await owedMinor()).toBe(0);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
