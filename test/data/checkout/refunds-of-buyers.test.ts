import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { adminTool, documentOf, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { checkOutWith, givenBasket, noonUnix, prepareWith, ticketsOf } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { givenShop, openPaymentWorlds, shownSecret, type WorldName, worldNames } from '../../support/payment-worlds.ts';

const { table, world: worldOf } = openPaymentWorlds();
let run: LocalRun;
beforeAll(() => {
  run = givenLocalRun(table());
});
afterAll(() => run.remove());

const methods = { 'prepare-payment': null, '3-D Secure': 'pm_card_threeDSecure2Required' } as const;
const ways = ['prepare-payment', '3-D Secure'] as const;

/** An order of three tickets, whose buyer has paid at the provider. */
async function givenOrderOfBuyer(name: WorldName, orgId: string, paymentMethod: string | null) {
  const world = worldOf(name);
  const { deps, price } = await givenShop(table(), orgId, { world, capacity: 10 });
  const { basketId: orderId } = await givenBasket(deps, price, 3);
  const checkOut = () => checkOutWith(deps, orderId, { paymentMethod });
  const secret = shownSecret(paymentMethod === null ? await prepareWith(deps, orderId) : await checkOut());
  await world.actAsBuyer(table(), orgId, new Set([secret ?? '']), 'pay');
  const result = await checkOut();
  if (result.outcome !== 'confirmed') throw new Error(result.outcome);
  const [first] = result.placed.tickets;
  const refunded = async () => (await world.succeeded(table(), orgId, orderId)).map((charge) => charge.refundedMinor);
  return { deps, price, orderId, firstId: first?.ticketId ?? 0, refunded };
}

describe.each(worldNames)('refunds of payments that needed the buyer, with %s', (name) => {
  it.each(ways)('an order that was paid by %s is refunded by refund-order and by the CLI', async (way) => {
    const orgId = `org_${name}${way === 'prepare-payment' ? 'prepared' : 'card'}`;
    const { deps, price, orderId, firstId, refunded } = await givenOrderOfBuyer(name, orgId, methods[way]);
    const calls = orderCalls(table(), orgId, orderId);
    expect(await calls.refund({ ticket_ids: [firstId] })).toMatchObject({ status: 'pending', amount: 32.15 });
    for (let time = 0; time < 2; time += 1) await executeRefunds(deps, orderId);
    expect(await calls.refunds()).toMatchObject({ data: [{ status: 'succeeded', ticket_ids: [firstId] }] });
    expect(await refunded()).toEqual([3_215]);

    let looks = 0;
    const admin = adminTool({ localFile: run.file, nowMs: () => (noonUnix + 2) * 1000 + looks++ });
    const byCli = () => documentOf(admin, 'order', 'refund', orgId, String(orderId), '--yes');
    // The CLI has no key of Stripe, so it records the refund, and the service carries it out.
    expect(await byCli()).toMatchObject({ outcome: name === 'stripe' ? 'pending' : 'refunded' });
    deps.nowUnix += 120;
    for (let time = 0; time < 2; time += 1) await sweepBaskets(deps);
    expect(await refunded()).toEqual([9_645]);
    expect(await byCli()).toMatchObject({ outcome: 'unchanged', order_status: 'refunded' });
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
    const told = (await eventsOf(deps)).map(({ type, data }) => [type, data.refund?.amount]);
    expect(told).toEqual([
      ['order.completed', undefined],
      ['order.refunded', 32.15],
      ['order.refunded', 64.3],
    ]);
  });
});
