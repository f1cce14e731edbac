import { handle as cancelEventOf } from '../../../functions/api/catalogue/cancel-event.ts';
import { handle as cancelOrderOf } from '../../../functions/api/orders/cancel-order.ts';
import { handle as refundOrderOf } from '../../../functions/api/orders/refund-order.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { majorUnits } from '../../../shared/domain/money.ts';
import type { OrderWithTickets } from '../../../shared/domain/orders/order.ts';
import { receivedKinds } from '../../../shared/domain/orders/tender.ts';
import { cancelEvent } from '../../../shared/operations/catalogue/cancel-event.ts';
import { cancelOrder } from '../../../shared/operations/orders/cancel-order.ts';
import { refundOrder } from '../../../shared/operations/orders/refund-order.ts';
import { executeRequestedRefunds } from '../../../shared/sales/refunds/execute-requested-refunds.ts';
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
  if (membership !== undefined) scene.club.touched.push(membership.memberId);
  const params = { order_id: String(placed.order.orderId) };
  // What a tender has paid, somebody hands over. Of some refunds, a little of each unit is kept.
  const { tender, currency } = placed.order;
  const byHand = tender === undefined ? {} : { returned_by: choose(receivedKinds) };
  const keep = choose([0, 0, 0, majorUnits(100, currency)]);
  const body = { ...units, ...byHand, ...(keep > 0 && { keep }) };
  return outcomeOf(await call(scene, refundOrder, refundOrderOf, { params, body }));
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
