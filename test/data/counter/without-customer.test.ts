import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as retrieveBasketHandle } from '../../../functions/api/baskets/retrieve-basket.ts';
import { handle as scan } from '../../../functions/api/events/record-scan.ts';
import { handle as list } from '../../../functions/api/orders/list-orders.ts';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { handle as updateTicketHandle } from '../../../functions/api/tickets/update-ticket.ts';
import { openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { PriceDraft } from '../../../shared/data/prices/save-price.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { retrieveBasket } from '../../../shared/operations/baskets/retrieve-basket.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { listOrders } from '../../../shared/operations/orders/list-orders.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { updateTicket } from '../../../shared/operations/tickets/update-ticket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { customersAt } from '../../../tools/fixtures/customers.ts';
import { findingsOf } from '../../support/audit.ts';
import { ada, completedEvents, givenOnSale, newCheckoutDeps, ticketsOf } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { cash, givenCounterBasket, sellAtCounter } from '../../support/counter.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { expectEntries } from '../../support/journal.ts';
import { addType, givenClub, givenType } from '../../support/memberships.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { givenPhasedSale } from '../../support/phased-sale.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const nobody = { buyer: null } as const;

/** Two tickets that were sold for cash to nobody in particular. */
async function givenAnonymousSale() {
  const deps = await givenClub(table);
  const { orgId, nowUnix } = deps;
  const { price, event } = await givenOnSale(table, orgId);
  const { basketId } = await givenCounterBasket(deps, price, 2);
  const sold = await sellAtCounter(deps, basketId, cash, nobody);
  if (sold.outcome !== 'confirmed') throw new Error(JSON.stringify(sold));
  return { deps, price, event, placed: sold.placed, call: { table, orgId, nowMs: (nowUnix + 60) * 1000 } };
}

describe('an order without a customer', () => {
  it('has no person, and neither has its webhook; it makes no customer', async () => {
    const { deps, placed, price, call } = await givenAnonymousSale();
    const noPerson = { userId: null, firstName: null, lastName: null, emailAddress: null, postcode: null };
    expect(placed.order).toMatchObject({ ...noPerson, paymentMethod: 'cash', totalMinor: 6_430 });
    expect(placed.tickets.map(({ ticketName }) => ticketName)).toEqual([null, null]);
    expect(await completedEvents(deps)).toMatchObject([{ data: { fan: null, order: { user_id: null } } }]);
    expect(await customersAt(table, deps.orgId, ada.emailAddress)).toEqual([]);
    expect(await ticketsOf(deps, price, [placed.order.orderId])).toMatchObject({ available: 98, held: 0, sold: 2 });
    await expectEntries(deps, placed.order.orderId, ['sale']);
    const basket = await callHandler(
      retrieveBasket,
      retrieveBasketHandle,
      { params: { basket_id: String(placed.order.orderId) } },
      call,
    );
    expect(basket).toMatchObject({ status: 'checked_out', order: { customer: { user_id: null, email: null } } });
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
  });

  it('is found by its number and by the barcode of a ticket', async () => {
    const { placed, call } = await givenAnonymousSale();
    const { order, tickets } = placed;
    const found = { order_id: order.orderId, user_id: null, customer: { user_id: null, email: null } };
    expect(
      await callHandler(retrieveOrder, retrieve, { params: { order_id: String(order.orderId) } }, call),
    ).toMatchObject(found);
    for (const query of [{ barcode: tickets[1]?.barcode }, { search: String(order.orderId) }, {}]) {
      expect(await callHandler(listOrders, list, { query }, call), JSON.stringify(query)).toMatchObject({
        data: [found],
      });
    }
  });

  it('has tickets that are named, scanned and cancelled as others', async () => {
    const { placed, event, call, deps, price } = await givenAnonymousSale();
    const [first, second] = placed.tickets;
    const named = await callHandler(
      updateTicket,
      updateTicketHandle,
      {
        params: { ticket_id: String(first?.ticketId) },
        body: { holder: { first_name: 'Grace', last_name: 'Hopper' } },
      },
      call,
    );
    expect(named).toMatchObject({ ticket_name: 'Grace Hopper' });
    const scanned = await callHandler(
      recordScan,
      scan,
      { params: { event_id: String(event.eventId) }, body: { barcode: first?.barcode } },
      call,
    );
    expect(scanned).toMatchObject({ result: 'ok' });
    await orderCalls(table, deps.orgId, placed.order.orderId).cancel({ ticket_ids: [second?.ticketId] });
    expect(await ticketsOf(deps, price, [placed.order.orderId])).toMatchObject({ available: 99, sold: 1 });
  });

  it('is the answer of the same request again, and not of one that names somebody', async () => {
    const { deps, placed } = await givenAnonymousSale();
    expect(await sellAtCounter(deps, placed.order.orderId, cash, nobody)).toMatchObject({
      outcome: 'confirmed',
      placed,
    });
    expect(await sellAtCounter(deps, placed.order.orderId)).toMatchObject({ refusal: { reason: 'checked_out' } });
  });

  it('is made by the sweeper or by the same request after a crash', async () => {
    let at = 1;
    for (let hasCrashed = true; hasCrashed; at += 1) {
      const deps = newCheckoutDeps(table);
      const { price } = await givenOnSale(table, deps.orgId);
      const { basketId } = await givenCounterBasket(deps, price);
      const crash = new CrashPoint(at, 'after');
      const crashing = { ...deps, table: crashingTable(table, crash) };
      hasCrashed = (await crash.resultOf(sellAtCounter(crashing, basketId, cash, nobody))) === undefined;
      deps.nowUnix += checkoutLeaseSeconds + 60;
      if (at % 2 === 0) await sweepBaskets(deps);
      expect(await sellAtCounter(deps, basketId, cash, nobody), `${at}`).toMatchObject({ outcome: 'confirmed' });
      await expectEntries(deps, basketId, ['sale']);
      expect(await completedEvents(deps)).toHaveLength(1);
    }
  });
});

describe('customer_required', () => {
  const required = { outcome: 'refused', refusal: { reason: 'customer_required' } };

  it.each<Partial<PriceDraft>>([{ membershipTypeId: 7 }, { maxPerMember: 2, membershipTypeId: 7 }])(
    'refuses a price of members without a customer, and writes nothing: %o',
    async (changes) => {
      const deps = newCheckoutDeps(table);
      const { price } = await givenOnSale(table, deps.orgId, changes);
      const basket = await givenCounterBasket(deps, price);
      expect(await sellAtCounter(deps, basket.basketId, cash, nobody)).toMatchObject(required);
      expect(await readBasket(table, deps.orgId, basket.basketId)).toEqual(basket);
    },
  );

  it('refuses a membership without a customer, and sells it with one', async () => {
    const deps = await givenClub(table);
    const { basketId } = await openBasket(table, { ...deps, channel: 'counter' });
    await addType(deps, basketId, await givenType(table, deps.orgId));
    expect(await sellAtCounter(deps, basketId, cash, nobody)).toMatchObject(required);
    expect(await sellAtCounter(deps, basketId)).toMatchObject({
      outcome: 'confirmed',
      placed: { memberships: { length: 1 } },
    });
  });

  it('refuses a price with a limit for each person without a customer', async () => {
    const { orgId, price, phases } = await givenPhasedSale(table);
    const deps = { ...newCheckoutDeps(table), orgId };
    await phases.created({ max_per_person: 2 });
    const { basketId } = await givenCounterBasket(deps, price);
    expect(await sellAtCounter(deps, basketId, cash, nobody)).toMatchObject(required);
  });
});
