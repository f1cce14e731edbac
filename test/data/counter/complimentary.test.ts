import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ordersSection } from '../../../admin/person/orders.ts';
import { personOf } from '../../../admin/person/section.ts';
import { handle as inventory } from '../../../functions/api/events/event-inventory.ts';
import { handle as summary } from '../../../functions/api/events/event-sales-summary.ts';
import { handle as byPrice } from '../../../functions/api/events/event-stats-by-price.ts';
import { handle as byCategory } from '../../../functions/api/events/event-stats-by-price-category.ts';
import { handle as scan } from '../../../functions/api/events/record-scan.ts';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import { openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readCustomer } from '../../../shared/data/customers/read.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { membersOfCustomer } from '../../../shared/data/members/of-customer.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import type { RequestedTender } from '../../../shared/domain/orders/tender.ts';
import { eventInventory } from '../../../shared/operations/events/event-inventory.ts';
import { eventSalesSummary } from '../../../shared/operations/events/event-sales-summary.ts';
import { eventStatsByPrice } from '../../../shared/operations/events/event-stats-by-price.ts';
import { eventStatsByPriceCategory } from '../../../shared/operations/events/event-stats-by-price-category.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../../support/audit.ts';
import { givenOnSale, newCheckoutDeps, ticketsOf } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { cash, givenCounterBasket, givenCounterSale, sellAtCounter } from '../../support/counter.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { expectEntries } from '../../support/journal.ts';
import { addType, givenClub, givenType } from '../../support/memberships.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const free: RequestedTender = { ...cash, kind: 'complimentary', reason: 'Press' };

describe('the reason of a complimentary order', () => {
  it('is in the data of its buyer, whom it may name', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { price } = await givenOnSale(table, orgId);
    const { customer } = await givenCounterSale(deps, price, { tender: free });
    const buyer = await readCustomer(table, orgId, customer?.userId ?? 0);
    if (buyer === undefined) throw new Error('There is no such customer.');
    const run = { requestId: 'cli_1', clock: deps.clock };
    expect(await ordersSection.collect(await personOf(table, orgId, buyer, run))).toMatchObject([
      { tender: { kind: 'complimentary', reason: 'Press' } },
    ]);
  });
});

describe('a complimentary order', () => {
  it('costs nothing, without fees, and keeps what its tickets would have cost', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { placed } = await givenCounterSale(deps, price, { quantity: 2, tender: free });
    const { order, tickets } = placed;
    expect(order).toMatchObject({ totalMinor: 0, discountMinor: 6_000, paymentMethod: 'complimentary' });
    expect(tickets).toMatchObject(
      [1, 2].map(() => ({ faceMinor: 3_000, discountMinor: 3_000, serviceFeeMinor: 0, taxMinor: 0 })),
    );
    expect((await readBasket(table, deps.orgId, order.orderId))?.lines).toMatchObject([
      { adjustments: [{ reason: 'complimentary', amountMinor: 3_000 }], serviceFeeMinor: 0, serviceTaxMinor: 0 },
    ]);
    const [entry] = await entriesOfOrder(table, deps.orgId, order.orderId);
    expect(entry).toMatchObject({ money: {}, tender: { kind: 'complimentary', operator: '7' } });
    expect(entry?.tender).not.toHaveProperty('reason');
    await expectEntries(deps, order.orderId, ['sale']);
    const shown = await callHandler(
      retrieveOrder,
      retrieve,
      { params: { order_id: String(order.orderId) } },
      { table, orgId: deps.orgId, nowMs: deps.nowUnix * 1000 },
    );
    expect(shown).toMatchObject({ total: 0, outstanding: 0, tender: { kind: 'complimentary', reason: 'Press' } });
  });

  it('is counted by itself, as a part of what is sold, and is admitted as every other', async () => {
    const deps = await givenClub(table);
    const { orgId, nowUnix } = deps;
    const { price, event } = await givenOnSale(table, orgId);
    await givenCounterSale(deps, price, { quantity: 3 });
    const { placed } = await givenCounterSale(deps, price, { quantity: 2, tender: free });
    const call = { table, orgId, nowMs: (nowUnix + 60) * 1000 };
    const params = { event_id: String(event.eventId) };
    const expectCounted = async (sold: number, complimentary: number) => {
      const row = { sold, complimentary };
      expect(await callHandler(eventStatsByPrice, byPrice, { params }, call)).toMatchObject({ data: [row] });
      expect(await callHandler(eventStatsByPriceCategory, byCategory, { params }, call)).toMatchObject({ data: [row] });
      expect(await callHandler(eventInventory, inventory, { params }, call)).toMatchObject({ data: [row] });
      for (const query of [{}, { unix_start: nowUnix - 30, unix_end: nowUnix + 30 }]) {
        expect(await callHandler(eventSalesSummary, summary, { params, query }, call)).toMatchObject({
          data: [{ tickets: sold, complimentary }],
        });
      }
      expect(await findingsOf(table, orgId, nowUnix)).toEqual([]);
    };
    await expectCounted(5, 2);
    const [first, second] = placed.tickets;
    const body = { barcode: first?.barcode };
    expect(await callHandler(recordScan, scan, { params, body }, call)).toMatchObject({ result: 'ok' });
    await orderCalls(table, orgId, placed.order.orderId).cancel({ ticket_ids: [second?.ticketId] });
    await expectCounted(4, 1);
  });

  it('is made once, whatever crashes', async () => {
    let at = 1;
    for (let hasCrashed = true; hasCrashed; at += 1) {
      const deps = newCheckoutDeps(table);
      const { price } = await givenOnSale(table, deps.orgId);
      const { basketId } = await givenCounterBasket(deps, price);
      const crash = new CrashPoint(at, 'after');
      const crashing = { ...deps, table: crashingTable(table, crash) };
      hasCrashed = (await crash.resultOf(sellAtCounter(crashing, basketId, free))) === undefined;
      deps.nowUnix += checkoutLeaseSeconds + 60;
      if (at % 2 === 0) await sweepBaskets(deps);
      expect(await sellAtCounter(deps, basketId, free)).toMatchObject({ outcome: 'confirmed' });
      expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 99, held: 0, sold: 1 });
      await expectEntries(deps, basketId, ['sale']);
    }
  });

  it('makes members who owe nothing, do not renew themselves, and have nothing to credit', async () => {
    const deps = await givenClub(table);
    const { basketId } = await openBasket(table, { ...deps, channel: 'counter' });
    await addType(deps, basketId, await givenType(table, deps.orgId));
    const sold = await sellAtCounter(deps, basketId, free);
    if (sold.outcome !== 'confirmed') throw new Error(JSON.stringify(sold));
    const [member] = await membersOfCustomer(table, deps.orgId, sold.customer?.userId ?? 0);
    expect(member).toMatchObject({ statusId: 1, autoRenew: false });
    expect(await termsOfMember(table, deps.orgId, member?.memberId ?? 0)).toMatchObject([{ priceMinor: 0 }]);
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
    const wanted = { memberId: member?.memberId ?? 0, consentText: 'Renew it every year.' };
    expect(await setAutoRenew(deps, wanted)).toMatchObject({ outcome: 'not_renewable' });
  });
});
