import { describe, expect, it } from 'vitest';
import { OrderLedger } from '../../local/demo/order-ledger.ts';
import { readBasket } from '../../shared/data/baskets/baskets.ts';
import { basketItem } from '../../shared/data/baskets/row.ts';
import { countOrders } from '../../shared/data/counters/sales.ts';
import { newBasket } from '../../shared/domain/baskets/basket.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { orderIdStep } from '../../shared/domain/orders/order.ts';
import type { PaymentProvider } from '../../shared/payments/provider.ts';
import { anOrder, aTicket } from '../../tools/fixtures/orders.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { checkoutDepsOf, givenOnSale, noonUnix } from '../support/baskets.ts';
import { cancelWith, jobOf, runDueJobs } from '../support/jobs.ts';
import { createTestTable } from '../support/table.ts';

const orders = Number(process.env.ORDERS ?? 10_000);

describe('cancel-event of a large event', () => {
  it(`cancel-event refunds ${orders} orders once each, with few units for each`, async () => {
    const { table } = await createTestTable();
    const orgId = 'org_large';
    const refunded = new Map<string, number>();
    /** A provider that counts, because the sandbox would write rows of its own. */
    const around = (provider: PaymentProvider): PaymentProvider => ({
      ...provider,
      refund: async ({ chargeId }) => {
        refunded.set(chargeId, (refunded.get(chargeId) ?? 0) + 1);
        return { outcome: 'refunded' };
      },
    });
    const { event, price } = await givenOnSale(table, orgId, { capacity: orders });
    const { eventId } = event;
    const deps = checkoutDepsOf(table, orgId, { around });
    const ids = Array.from({ length: orders }, (_, index) => idOf(noonUnix - 86_400 + index, index * orderIdStep));
    const ledger = new OrderLedger(orgId);
    for (const [index, orderId] of ids.entries()) {
      const tickets = [aTicket({ priceId: price.priceId, priceIndex: price.index })];
      ledger.place(anOrder({ orderId, eventId, placedUnix: noonUnix - 86_400 + index, tickets }));
    }
    await putItems(table, [...ledger.items()]);
    await putItems(
      table,
      ids.map((orderId, index) => paidBasket(orgId, orderId, eventId, noonUnix - 86_400 + index)),
    );

    const begunUnits = table.meter.writeUnits;
    await cancelWith(deps, eventId, 'all');
    const cancelUnits = table.meter.writeUnits - begunUnits;
    expect(await jobOf(deps, eventId)).toMatchObject({ total: orders });
    const before = { ...table.meter };
    let runs = 0;
    for (let job = await jobOf(deps, eventId); job.status === 'running'; job = await jobOf(deps, eventId)) {
      deps.nowUnix += 60;
      // A run has time for about 500 orders at ten a second.
      let begun = 0;
      await runDueJobs(deps, () => begun++ < 500);
      runs += 1;
      expect(runs).toBeLessThan(orders / 50 + 10);
    }
    expect(await jobOf(deps, eventId)).toMatchObject({ status: 'done', total: orders, done: orders, failed: 0 });
    expect(await countOrders(table, { orgId, eventId }, 'refunded')).toBe(orders);
    expect(refunded.size).toBe(orders);
    expect([...refunded.values()].every((count) => count === 1)).toBe(true);
    expect((await readBasket(table, orgId, ids[0] ?? 0))?.refunds).toMatchObject([{ state: 'done', reason: 'Storm' }]);
    const writes = (table.meter.writeUnits - before.writeUnits) / orders;
    const reads = (table.meter.readUnits - before.readUnits) / orders;
    console.log(
      `${orders} orders: ${runs} runs, ${writes.toFixed(1)} write and ${reads.toFixed(1)} read units an order; the cancellation itself ${cancelUnits} write units`,
    );
    expect(writes).toBeLessThan(80);
    expect(reads).toBeLessThan(40);
  });
});

/** The basket of an order that was paid. */
function paidBasket(orgId: string, orderId: number, eventId: number, placedUnix: number) {
  const charge = { provider: 'sandbox', chargeId: `ch_${orderId}`, account: null };
  return basketItem(orgId, {
    ...newBasket(orderId, placedUnix),
    status: 'checked_out',
    eventId,
    currency: 'AUD',
    payment: { ...charge, paymentMethod: 'pm_card_visa', amountMinor: 2_275, currency: 'AUD' },
    customer: { userId: 1, orgCustomerId: 'C-1' },
    order: { uuid: `uuid-${orderId}`, placedUnix },
  });
}
