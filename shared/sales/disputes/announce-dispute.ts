import { changeBasket } from '../../data/baskets/baskets.ts';
import { readCustomer } from '../../data/customers/read.ts';
import { readEvent } from '../../data/events/read.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { planPut } from '../../data/plans/plans.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { type DisputedPayment, recordDispute } from '../../domain/baskets/disputes.ts';
import { recordPlanDispute } from '../../domain/plans/dispute.ts';
import { orderDisputed } from '../../mappers/order-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { CheckoutDeps } from '../deps.ts';
import { beginOnce, plansOfOrder } from '../refunds/refund-plans.ts';
import { changeDisputedPlan } from './disputed-plan.ts';

type DisputeDeps = Pick<CheckoutDeps, 'table' | 'clock'>;

/**
 * Announces a dispute, once, and stops the later charges of the memberships that were paid. Tickets and members stay valid: the
 * organisation decides what to do.
 */
export async function announceDispute(deps: DisputeDeps, disputed: DisputedPayment): Promise<void> {
  const { orgId, owner, dispute } = disputed;
  if (owner.kind === 'instalment') {
    await changeDisputedPlan(deps, disputed, dispute.disputeId, (plan) => announcement(deps, disputed, plan.orderId));
  } else if (owner.kind === 'basket') {
    await announceOfBasket({ ...deps, orgId }, disputed);
  }
}

/** What announces a dispute of an order. None if there is no such order. */
async function announcement(
  { table, clock }: DisputeDeps,
  { orgId, dispute }: DisputedPayment,
  orderId: number,
): Promise<() => readonly TransactItem[]> {
  const placed = await readOrderWithTickets(table, orgId, orderId);
  if (placed === undefined) return () => [];
  const { userId, eventId } = placed.order;
  const fan = userId ? await readCustomer(table, orgId, userId, { consistent: true }) : undefined;
  const event = await readEvent(table, orgId, eventId);
  return () =>
    outboxItems(table, orgId, orderDisputed(orgId, placed, { event, fan, dispute }), {
      nowMs: clock.nowMs(),
      requestId: undefined,
    });
}

/** The first instalment is part of the payment of the basket, so its dispute stops the plans of the order. */
async function announceOfBasket(
  deps: DisputeDeps & Pick<CheckoutDeps, 'orgId'>,
  disputed: DisputedPayment,
): Promise<void> {
  const { table, clock, orgId } = deps;
  const { owner, account, chargeId, dispute } = disputed;
  const basketId = owner.id;
  await retryRaces('payment plans of this order', async () => {
    const placed = await readOrderWithTickets(table, orgId, basketId);
    if (placed === undefined) return 'ended';
    const plans = await plansOfOrder(deps, placed);
    const announce = await announcement(deps, disputed, basketId);
    const stops = plans.map((plan) => {
      const stopped = recordPlanDispute(plan, dispute.disputeId, unixSeconds(clock));
      return planPut(table, orgId, plan, { ...stopped, version: plan.version + 1 });
    });
    // Undefined if a plan has changed since it was read.
    const changed = await beginOnce(deps, { plans }, () =>
      changeBasket(
        table,
        { orgId, basketId, decide: (basket) => recordDispute(basket, { ...dispute, chargeId, account }) },
        () => [...stops, ...announce()],
      ),
    );
    return changed && 'ended';
  });
}
