import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { handle as cancelEventOf } from '../../../functions/api/catalogue/cancel-event.ts';
import { handle as cancelOrderOf } from '../../../functions/api/orders/cancel-order.ts';
import { handle as refundOrderOf } from '../../../functions/api/orders/refund-order.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { readPlan } from '../../../shared/data/plans/plans.ts';
import { sandboxChargeKey } from '../../../shared/data/table/keys.ts';
import type { OrderWithTickets } from '../../../shared/domain/orders/order.ts';
import { ownerOfCharge, refundNumberOf } from '../../../shared/domain/payments/charge-key.ts';
import { cancelEvent } from '../../../shared/operations/catalogue/cancel-event.ts';
import { cancelOrder } from '../../../shared/operations/orders/cancel-order.ts';
import { refundOrder } from '../../../shared/operations/orders/refund-order.ts';
import { findCharge } from '../../../shared/payments/sandbox-charges.ts';
import { executeRequestedRefunds } from '../../../shared/sales/refunds/execute-requested-refunds.ts';
import { chargesOf } from '../baskets.ts';
import { replaceEvent } from './club.ts';
import { memberOf, newest } from './member-steps.ts';
import { call, nothing, outcomeOf, type Scene, type Steps } from './scene.ts';

/** One of the newest orders, or that of a member's last term, which may have renewed itself. */
async function orderOf(scene: Scene): Promise<OrderWithTickets | undefined> {
  const { club, outside, choose } = scene;
  const member = choose([true, false]) ? await memberOf(scene) : undefined;
  const orderId = member === undefined ? choose(club.orders.slice(-newest)) : Number(member.orderId);
  return orderId === undefined ? undefined : readOrderWithTickets(outside, club.orgId, orderId);
}

async function refund(scene: Scene): Promise<string> {
  const { choose } = scene;
  const placed = await orderOf(scene);
  if (placed === undefined) return nothing;
  const ticket = choose(placed.tickets);
  const membership = choose(placed.memberships);
  const units = choose<Readonly<Record<string, readonly number[]>>>([
    {},
    ...(ticket === undefined ? [] : [{ ticket_ids: [ticket.ticketId] }]),
    ...(membership === undefined ? [] : [{ membership_member_ids: [membership.memberId] }]),
  ]);
  const params = { order_id: String(placed.order.orderId) };
  return outcomeOf(await call(scene, refundOrder, refundOrderOf, { params, body: units }));
}

/** The bank of a card does not take back what the provider has returned: its money is with the provider again, which reports it. */
async function failReturn({ club, deps, outside: table, choose }: Scene): Promise<string> {
  const { orgId } = club;
  const returned = choose((await chargesOf({ ...deps, table })).filter(({ refundedMinor }) => refundedMinor > 0));
  const charge = returned && (await findCharge(table, { orgId, chargeId: returned.sk }));
  const [key, amountMinor] = choose(Object.entries(charge?.refunds ?? {})) ?? [];
  if (charge === undefined || key === undefined || amountMinor === undefined) return nothing;
  const owner = ownerOfCharge(charge.key);
  const basketId = owner.kind === 'instalment' ? (await readPlan(table, orgId, owner.id))?.orderId : owner.id;
  const basket = basketId === undefined ? undefined : await readBasket(table, orgId, basketId);
  const number = refundNumberOf(key);
  const isEnded = basket?.refunds.some((one) => one.number === number && one.state !== 'pending') === true;
  if (basketId === undefined || number === undefined || !isEnded) return nothing;
  const { [key]: _, ...refunds } = charge.refunds;
  const Item = { ...sandboxChargeKey(orgId, charge.chargeId), ...charge, refunds };
  const refundedMinor = charge.refundedMinor - amountMinor;
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...Item, refundedMinor } }));
  club.reports.push({ basketId, number, failed: { key, amountMinor } });
  return 'failed';
}

export const officeSteps: Steps = {
  'refund an order': { weight: 7, run: refund },
  'carry out refunds': {
    weight: 3,
    run: async (scene) => {
      const { club, deps } = scene;
      const placed = await orderOf(scene);
      if (placed === undefined) return nothing;
      const { orderId } = placed.order;
      await executeRequestedRefunds(deps, [{ orgId: club.orgId, orderId }], () => true);
      return 'done';
    },
  },
  'a refund fails at the provider': { weight: 1, run: failReturn },
  'cancel an order': {
    weight: 2,
    run: async (scene) => {
      const placed = await orderOf(scene);
      if (placed === undefined) return nothing;
      const params = { order_id: String(placed.order.orderId) };
      const ticket = scene.choose(placed.tickets);
      const some = ticket === undefined || scene.choose([true, false]) ? {} : { ticket_ids: [ticket.ticketId] };
      return outcomeOf(await call(scene, cancelOrder, cancelOrderOf, { params, body: some }));
    },
  },
  'cancel an event': {
    weight: 0.5,
    run: async (scene) => {
      const { club, outside, choose } = scene;
      const { eventId } = choose(club.prices) ?? {};
      if (eventId === undefined) return nothing;
      const body = { refund: choose(['all', 'none']), reason: 'Storm' };
      const input = { params: { event_id: String(eventId) }, body };
      const outcome = outcomeOf(await call(scene, cancelEvent, cancelEventOf, input));
      await replaceEvent(outside, club, eventId);
      return outcome;
    },
  },
};
