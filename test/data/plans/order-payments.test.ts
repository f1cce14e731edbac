import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as eventOrders } from '../../../functions/api/events/list-event-orders.ts';
import { handle as listTypes } from '../../../functions/api/membership/list-membership-types.ts';
import { handle as list } from '../../../functions/api/orders/list-orders.ts';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { checkoutOrder } from '../../../shared/mappers/checkout.ts';
import { listEventOrders } from '../../../shared/operations/events/list-event-orders.ts';
import { listMembershipTypes } from '../../../shared/operations/membership/list-membership-types.ts';
import { listOrders } from '../../../shared/operations/orders/list-orders.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { anOrder } from '../../../tools/fixtures/orders.ts';
import { newCheckoutDeps, noonUnix } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenMembershipBasket } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, sweepWhenDue } from '../../support/plans.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('what an order says of its payment', () => {
  it('is the total, what was paid and what is still owed of a membership in instalments', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { order, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const shown = async (money: object) => {
      const call = { table, orgId };
      const params = { order_id: String(order.orderId) };
      expect(await callHandler(retrieveOrder, retrieve, { params }, call)).toMatchObject(money);
      expect(await callHandler(listOrders, list, {}, call)).toMatchObject({ data: [money] });
    };
    await shown({ total: 240.5, paid: 40.1, outstanding: 200.4, refunded: 0 });
    await sweepWhenDue(deps, planId, 2);
    await shown({ total: 240.5, paid: 80.18, outstanding: 160.32, refunded: 0 });
  });

  it('is everything of an order that is paid at once, and nothing of a pending one', async () => {
    const orgId = 'org_paid_at_once';
    const { eventId } = await givenEvent(table, orgId);
    const [paid, pending] = [anOrder({ eventId }), anOrder({ eventId, status: 'pending' })];
    for (const order of [paid, pending]) await writeOrder(table, orgId, order);
    const shown = ({ orderId }: { readonly orderId: number }) =>
      callHandler(retrieveOrder, retrieve, { params: { order_id: String(orderId) } }, { table, orgId });
    const { total } = await shown(paid);
    expect(await shown(paid)).toMatchObject({ paid: total, outstanding: 0 });
    expect(await shown(pending)).toMatchObject({ paid: 0, outstanding: total });
  });

  it('has the same common fields in the answer of a checkout, retrieve-order, list-orders and list-event-orders', async () => {
    const orgId = 'org_one_shape';
    const { eventId } = await givenEvent(table, orgId);
    const placed = anOrder({
      eventId,
      userId: 7,
      firstName: 'Ada',
      lastName: 'Lovelace',
      emailAddress: 'ada@example.com',
    });
    const written = await writeOrder(table, orgId, placed);
    if (written.outcome !== 'recorded') throw new Error(written.outcome);
    const call = { table, orgId };
    const common = {
      order_id: placed.orderId,
      order_uuid: placed.orderUuid,
      order_status: 'confirmed',
      order_date: placed.placedUnix,
      updated_at: placed.placedUnix,
      currency: 'AUD',
      total: expect.any(Number),
      refunded: 0,
      customer: { user_id: 7, email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
    };
    const params = { order_id: String(placed.orderId) };
    expect(checkoutOrder(written.placed, { userId: 7, orgCustomerId: 'c7' }, null)).toMatchObject(common);
    expect(await callHandler(retrieveOrder, retrieve, { params }, call)).toMatchObject(common);
    expect(await callHandler(listOrders, list, {}, call)).toMatchObject({ data: [common] });
    const ofEvent = await callHandler(listEventOrders, eventOrders, { params: { event_id: String(eventId) } }, call);
    expect(ofEvent).toMatchObject({ data: [common] });
  });
});

describe('list-membership-types', () => {
  it('shows the payment options of a type as a basket of it alone does, with what is due now and the shares', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const type = await givenInstalmentType(deps);
    const basket = await readBasket(table, orgId, await givenMembershipBasket(deps, type));
    if (basket === undefined) throw new Error('The basket is missing.');
    const { payment_options: inBasket } = basketResource(orgId, basket, noonUnix);
    const call = { table, orgId, nowMs: noonUnix * 1000 };
    const listed = await callHandler(listMembershipTypes, listTypes, {}, call);
    // The second of the day differs from basket to basket.
    const withAnyTime = inBasket.map((option) => ({
      ...option,
      instalments: option.instalments.map(({ amount }) => ({ amount, due: expect.any(Number) })),
    }));
    expect(listed).toMatchObject({ data: [{ membership_type_id: type.typeId, payment_options: withAnyTime }] });
    expect(inBasket).toMatchObject([{ due_now: 240.5, instalments: [] }, { due_now: 40.1 }]);
  });
});
