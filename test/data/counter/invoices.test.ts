import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as listTickets } from '../../../functions/api/events/list-event-tickets.ts';
import { handle as scan } from '../../../functions/api/events/record-scan.ts';
import { handle as listOverdue } from '../../../functions/api/orders/list-overdue-orders.ts';
import { handle as record } from '../../../functions/api/orders/record-order-payment.ts';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { ticketFacts } from '../../../shared/documents/ticket-facts.ts';
import type { RequestedTender } from '../../../shared/domain/orders/tender.ts';
import { listEventTickets } from '../../../shared/operations/events/list-event-tickets.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { listOverdueOrders } from '../../../shared/operations/orders/list-overdue-orders.ts';
import { recordOrderPayment } from '../../../shared/operations/orders/record-order-payment.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { findingsOf } from '../../support/audit.ts';
import { givenOnSale, noonUnix, type TestCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { cash, givenCounterSale, sellAtCounter } from '../../support/counter.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { expectEntries } from '../../support/journal.ts';
import { addType, givenClub, givenType } from '../../support/memberships.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const dueUnix = noonUnix + 14 * 86_400;
const invoice: RequestedTender = { ...cash, kind: 'invoice', dueUnix };
const whenPaid: RequestedTender = { ...invoice, valid: 'when_paid' };

/** Two tickets for 64.30 on an invoice. */
async function givenInvoice(tender = invoice) {
  const deps = await givenClub(table);
  const { price, event } = await givenOnSale(table, deps.orgId);
  const { placed } = await givenCounterSale(deps, price, { quantity: 2, tender });
  return { deps, event, placed, orderId: placed.order.orderId, ...callsOf(deps, placed.order.orderId) };
}

function callsOf({ orgId, nowUnix }: TestCheckoutDeps, orderId: number) {
  const call = { table, orgId, nowMs: (nowUnix + 60) * 1000 };
  // Each payment is later than the one before, so their entries have the order of the calls.
  let payments = 0;
  const params = { order_id: String(orderId) };
  return {
    pay: (body: Record<string, unknown>, from = table) => {
      payments += 1;
      const at = { ...call, table: from, nowMs: call.nowMs + payments };
      return callHandler(recordOrderPayment, record, { params, body: { kind: 'bank_transfer', ...body } }, at);
    },
    shown: () => callHandler(retrieveOrder, retrieve, { params }, call),
    overdue: (atUnix: number, query: Record<string, unknown> = {}) =>
      callHandler(listOverdueOrders, listOverdue, { query }, { ...call, nowMs: atUnix * 1000 }),
    call,
  };
}

describe('an invoice', () => {
  it('is a confirmed order that is owed: the journal has it as receivable', async () => {
    const { deps, orderId, shown } = await givenInvoice();
    expect(await shown()).toMatchObject({
      order_status: 'confirmed',
      payment_method: 'invoice',
      total: 64.3,
      paid: 0,
      outstanding: 64.3,
      due_unix: dueUnix,
      payments: [],
    });
    expect(await entriesOfOrder(table, deps.orgId, orderId)).toMatchObject([
      { kind: 'sale', money: { receivable: 6_430 }, tender: { kind: 'invoice', operator: '7' } },
    ]);
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
  });

  it('is paid in parts, each with an entry and an event of its own', async () => {
    const { deps, orderId, pay, shown } = await givenInvoice();
    const first = { amount: 40, reference: 'Statement 12', station: 'office', operator: '3' };
    expect(await pay(first)).toMatchObject({ ...first, payment_id: `${orderId}-p1`, outstanding: 24.3 });
    expect(await shown()).toMatchObject({
      paid: 40,
      outstanding: 24.3,
      payments: [{ amount: 40, kind: 'bank_transfer' }],
    });
    expect(await pay({ amount: 24.3, kind: 'cash' })).toMatchObject({ outstanding: 0 });
    const entries = await entriesOfOrder(table, deps.orgId, orderId);
    expect(entries).toMatchObject([
      { kind: 'sale' },
      {
        kind: 'payment',
        money: { bank: 4_000, receivable: -4_000 },
        tender: { kind: 'bank_transfer', station: 'office' },
      },
      { kind: 'payment', money: { cash: 2_430, receivable: -2_430 }, tender: { kind: 'cash', station: null } },
    ]);
    await expectEntries(deps, orderId, ['sale', 'payment', 'payment']);
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
  });

  it.each([
    { body: { amount: 64.31 }, code: 'more_than_owed' },
    { body: { amount: 0 }, code: 'parameter_invalid' },
    { body: { amount: 1.005 }, code: 'parameter_invalid' },
  ])('takes no payment of $body.amount, and nothing is written', async ({ body, code }) => {
    const { deps, orderId, pay } = await givenInvoice();
    const before = await readOrderWithTickets(table, deps.orgId, orderId);
    await expect(pay(body)).rejects.toMatchObject({ details: [{ code, param: 'amount' }] });
    expect(await readOrderWithTickets(table, deps.orgId, orderId)).toEqual(before);
    await expectEntries(deps, orderId, ['sale']);
  });

  it('takes what is owed once, of two payments at the same moment', async () => {
    const { deps, orderId, pay } = await givenInvoice();
    const results = await Promise.allSettled([pay({ amount: 64.3 }), pay({ amount: 64.3 })]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expectEntries(deps, orderId, ['sale', 'payment']);
  });

  it('owes nothing of an order that was paid in another way', async () => {
    const deps = await givenClub(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { placed } = await givenCounterSale(deps, price);
    const { pay, shown } = callsOf(deps, placed.order.orderId);
    await expect(pay({ amount: 1 })).rejects.toMatchObject({ details: [{ code: 'more_than_owed' }] });
    expect(await shown()).toMatchObject({
      outstanding: 0,
      due_unix: null,
      payments: [{ kind: 'cash', amount: 32.15 }],
    });
  });

  it('is not for memberships', async () => {
    const deps = await givenClub(table);
    const { basketId } = await openBasket(table, { ...deps, channel: 'counter' });
    await addType(deps, basketId, await givenType(table, deps.orgId));
    const before = await readBasket(table, deps.orgId, basketId);
    expect(await sellAtCounter(deps, basketId, invoice)).toMatchObject({
      refusal: { reason: 'invoice_for_memberships' },
    });
    expect(await readBasket(table, deps.orgId, basketId)).toEqual(before);
  });

  it('is written once with its payment, whatever crashes', async () => {
    for (let at = 1, hasCrashed = true; hasCrashed; at += 1) {
      const { deps, orderId, pay, shown } = await givenInvoice(whenPaid);
      const crash = new CrashPoint(at, 'after');
      hasCrashed = (await crash.resultOf(pay({ amount: 64.3 }, crashingTable(table, crash)))) === undefined;
      const { outstanding, tickets } = await shown();
      const isPaid = outstanding === 0;
      const status = isPaid ? 1 : 0;
      expect(tickets, `${at}`).toMatchObject([{ ticket_status_id: status }, { ticket_status_id: status }]);
      await expectEntries(deps, orderId, isPaid ? ['sale', 'payment'] : ['sale']);
    }
  });
});

describe('tickets that are valid when they are paid', () => {
  it('are refused as unpaid at the gate, online and offline, until the last part is paid', async () => {
    const { deps, event, placed, pay, call } = await givenInvoice(whenPaid);
    const params = { event_id: String(event.eventId) };
    const scanned = (index: number) =>
      callHandler(recordScan, scan, { params, body: { barcode: placed.tickets[index]?.barcode } }, call);
    const offline = () => callHandler(listEventTickets, listTickets, { params, query: {} }, call);
    expect(await scanned(0)).toMatchObject({ result: 'unpaid' });
    expect(await offline()).toMatchObject({ data: [{ ticket_status_id: 0 }, { ticket_status_id: 0 }] });
    await pay({ amount: 64.29 });
    expect(await scanned(0)).toMatchObject({ result: 'unpaid' });
    await pay({ amount: 0.01 });
    expect(await scanned(0)).toMatchObject({ result: 'ok' });
    expect(await offline()).toMatchObject({ data: [{ ticket_status_id: 1 }, { ticket_status_id: 1 }] });
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
  });

  it('say on page, PDF and passes that they are not paid, until they are', async () => {
    const { deps, event, placed, pay } = await givenInvoice(whenPaid);
    const organisation = { orgId: deps.orgId, name: 'Harbour FC', backgroundColor: null, locale: 'en' };
    const shown = async () => {
      const found = await readOrderWithTickets(table, deps.orgId, placed.order.orderId);
      const about = { organisation, event, price: { barcodeFromHours: null } };
      return found?.tickets.map((ticket) => ticketFacts(ticket, about).price);
    };
    const notPaid = expect.stringMatching(/ · not paid, not valid yet$/);
    expect(await shown()).toEqual([notPaid, notPaid]);
    await pay({ amount: 64.3 });
    expect(await shown()).toEqual([expect.not.stringContaining('not paid'), expect.not.stringContaining('not paid')]);
  });

  it('admit at once if the invoice says so', async () => {
    const { event, placed, call } = await givenInvoice();
    const params = { event_id: String(event.eventId) };
    const body = { barcode: placed.tickets[0]?.barcode };
    expect(await callHandler(recordScan, scan, { params, body }, call)).toMatchObject({ result: 'ok' });
  });
});

describe('list-overdue-orders', () => {
  it('lists what is due and not paid, the oldest due first, page by page', async () => {
    const deps = await givenClub(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const sold = async (days: number) => {
      const tender = { ...invoice, dueUnix: noonUnix + days * 86_400 };
      return (await givenCounterSale(deps, price, { tender })).placed.order.orderId;
    };
    const [later, first, second, paid] = [await sold(9), await sold(2), await sold(3), await sold(1)];
    const { overdue } = callsOf(deps, first);
    const ids = async (atUnix: number, query = {}) => {
      const { data } = await overdue(atUnix, query);
      return Array.isArray(data) ? data.map(({ order_id }) => order_id) : data;
    };
    await callsOf(deps, paid).pay({ amount: 32.15 });
    expect(await ids(noonUnix + 86_400)).toEqual([]);
    expect(await ids(noonUnix + 5 * 86_400)).toEqual([first, second]);
    expect(await ids(noonUnix + 10 * 86_400)).toEqual([first, second, later]);
    const page = await overdue(noonUnix + 10 * 86_400, { limit: 2 });
    expect(page).toMatchObject({ has_more: true, data: [{ outstanding: 32.15, due_unix: noonUnix + 2 * 86_400 }, {}] });
    expect(await ids(noonUnix + 10 * 86_400, { limit: 2, cursor: page.next_cursor })).toEqual([later]);
  });
});
