import type { Basket } from '../../domain/baskets/basket.ts';
import {
  type KeepRefusal,
  type KeptPercent,
  keepOfPercent,
  keptOfCharge,
  keptRefund,
} from '../../domain/baskets/keep.ts';
import {
  paidElsewhere,
  planRefund,
  type RefundedUnits,
  type RefundPlan,
  writtenOffFirst,
} from '../../domain/baskets/refunds.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import type { PlanRecord } from '../../domain/plans/plan.ts';

interface Refundable {
  readonly ticketIds: readonly number[];
  readonly memberIds: readonly number[];
}

/** Why nothing can be returned as it is asked for. */
export type PlanRefusal =
  | KeepRefusal
  /** These tickets and members are refunded, or a pending refund contains them; none are listed if nothing is left to refund. */
  | ({ readonly outcome: 'already_refunded' } & Refundable);

interface PlannedUnits {
  readonly tickets: RefundedUnits['tickets'];
  readonly members?: NonNullable<RefundedUnits['members']>;
  readonly keep?: number | KeptPercent;
}

/** What is returned and what is kept. What the provider has charged it returns, and of an invoice what is owed is written off first. */
export function planOfRequest(
  {
    basket,
    placed,
    plans,
  }: { readonly basket: Basket | undefined; readonly placed: OrderWithTickets; readonly plans: readonly PlanRecord[] },
  { tickets, members = [], keep = 0 }: PlannedUnits,
): RefundPlan | PlanRefusal {
  const isCharged = basket?.payment != null;
  const paid = isCharged ? basket : paidElsewhere(placed.order);
  const whole = planRefund(paid, placed, { tickets, members }, isCharged ? plans : []);
  const conflict = conflictOf({ tickets, members }, whole);
  if (conflict !== undefined) return conflict;
  const plan = isCharged ? whole : writtenOffFirst(whole, placed.order);
  const kept = typeof keep === 'number' ? keep : keepOfPercent(plan, placed, keep);
  return isCharged ? keptOfCharge(plan, placed, plans, kept) : keptRefund(plan, placed, [], kept);
}

function conflictOf(
  { tickets, members = [] }: RefundedUnits,
  { ticketIds, memberIds }: Refundable,
): Extract<PlanRefusal, { outcome: 'already_refunded' }> | undefined {
  const taken = {
    ticketIds: tickets === 'all' ? [] : tickets.filter((id) => !ticketIds.includes(id)),
    memberIds: members === 'all' ? [] : members.filter((id) => !memberIds.includes(id)),
  };
  const isAnyTaken = taken.ticketIds.length + taken.memberIds.length > 0;
  return isAnyTaken || ticketIds.length + memberIds.length === 0
    ? { outcome: 'already_refunded', ...taken }
    : undefined;
}
