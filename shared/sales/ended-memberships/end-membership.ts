import { basketHint, basketPut, readBasket } from '../../data/baskets/baskets.ts';
import { memberWrites } from '../../data/members/change.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { refundRequestPut } from '../../data/orders/refund-requests.ts';
import { dueHintItem } from '../../data/table/due-hints.ts';
import { type TransactItem, transact } from '../../data/table/transact.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import {
  beginRefund,
  paidElsewhere,
  planRefund,
  type RefundPlan,
  reducedRefund,
} from '../../domain/baskets/refunds.ts';
import { type CancelRefund, unusedMinor } from '../../domain/members/cancellation.ts';
import { restMinor } from '../../domain/members/next-term.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { chargeablePart, sumOf } from '../../domain/money.ts';
import type { OrderMembership } from '../../domain/orders/membership.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import type { RefundRecord } from '../../domain/orders/refund.ts';
import { receivedPayments } from '../../domain/orders/tender.ts';
import { ticketsCostMinor } from '../../domain/orders/ticket-discounts.ts';
import { isSettled, outstandingMinor, type PlanRecord } from '../../domain/plans/plan.ts';
import type { Cancelled } from '../../mappers/member-cancellation.ts';
import { membershipCancelled, memberUpdated } from '../../mappers/member-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import { cancelOrRefundTickets, type LaterTerm, type OrderDeps } from '../refunds/cancel-or-refund-tickets.ts';
import { membersWithLaterTerm } from '../refunds/later-terms.ts';
import { cancelledPlanPuts, plansOfOrder } from '../refunds/refund-plans.ts';
import { cancelledWithRefund, membersOfRefund } from '../refunds/refunded-members.ts';
import { isRenewalInProgress } from './switched-off.ts';

export type CancelledMembership = ({ readonly outcome: 'cancelled' } & Cancelled) | NotCancelled;

export type NotCancelled =
  | LaterTerm
  /** `not_bought_here`: nothing was paid here that could be returned. `refund_pending`: a refund ends the membership already. */
  | { readonly outcome: 'missing' | 'already_cancelled' | 'not_bought_here' | 'refund_pending' | 'charge_in_progress' };

export type CancelSideEffects = (cancelled: Cancelled) => readonly TransactItem[];

/** A membership that was bought here. */
interface Bought {
  /** The active terms of one of its members, and the last of them. */
  readonly active: readonly TermRecord[];
  readonly last: TermRecord;
  /** The order of the last term, and its memberships that were bought together. */
  readonly placed: OrderWithTickets;
  readonly line: readonly OrderMembership[];
}

/**
 * Ends a membership at once. One transaction cancels the members and what they owe, and records the refund, which is carried out as every
 * refund of an order; without one it ends the terms too. What is owed is written off by a refund, even if it returns nothing. Undefined
 * if something has changed since it was read.
 */
export async function endMembership(
  deps: OrderDeps,
  { active, last, placed, line }: Bought,
  refund: CancelRefund,
  sideEffects: CancelSideEffects,
): Promise<CancelledMembership | undefined> {
  const { table, orgId, clock } = deps;
  const nowUnix = unixSeconds(clock);
  const memberIds = line.map(({ memberId }) => memberId);
  const isCurrent = ({ termId, untilUnix }: TermRecord) =>
    termId !== last.termId && (untilUnix === null || untilUnix > nowUnix);
  if (active.some(isCurrent)) return { outcome: 'later_term', memberIds };
  const { orderId } = placed.order;
  const [basket, plans] = await Promise.all([readBasket(table, orgId, orderId), plansOfOrder(deps, placed)]);
  const ended = plans.filter(({ planId }) => line.some((membership) => membership.planId === planId));
  if (!ended.every(isSettled)) return { outcome: 'charge_in_progress' };
  const planned = await planEnd(deps, { basket, placed, line, plans }, refund);
  if (planned === 'refund_pending') return { outcome: planned };
  const begun = basket?.payment && planned && recordRefund(deps, basket, planned);
  const open = ended.filter((plan) => outstandingMinor(plan) > 0);
  if (begun == null && open.length > 0) {
    throw new Fault(`The order ${orderId} has a plan without a payment.`);
  }
  if (begun != null) return endWithRefund(deps, { last, placed, memberIds, begun, open }, sideEffects);
  // What a tender has paid awaits somebody who hands it over.
  const awaits = planned && { ...planned, reason: cancelledReason };
  const ofVersion = placed.order.version;
  let cancelled: Cancelled = { members: [], refund: undefined };
  const changed = await cancelOrRefundTickets(
    deps,
    orderId,
    { tickets: [], members: memberIds, to: 'cancelled', allOrNothing: true, ...(awaits && { awaits, ofVersion }) },
    {
      endsMembers: true,
      sideEffects: ({ after: { order } }, _context, changes) => {
        const recorded = awaits && order.refundsElsewhere.at(-1);
        const members = changes.map(({ after }) => after);
        cancelled = { members, refund: recorded && { order, recorded } };
        return [...announced(deps, members, last), ...sideEffects(cancelled)];
      },
    },
  );
  if (changed.outcome === 'later_term') return changed;
  if (changed.outcome === 'charge_in_progress') return { outcome: 'charge_in_progress' };
  if (changed.outcome === 'refund_in_progress') return { outcome: 'refund_pending' };
  return changed.outcome === 'changed' ? { outcome: 'cancelled', ...cancelled } : undefined;
}

function announced(
  { table, orgId, clock, requestId }: OrderDeps,
  members: readonly MemberRecord[],
  last: TermRecord,
): readonly TransactItem[] {
  const cause = { nowMs: clock.nowMs(), requestId };
  return members.flatMap((member) => outboxItems(table, orgId, membershipCancelled(member, last, 'now'), cause));
}

interface EndedWithRefund extends Pick<Bought, 'last' | 'placed'> {
  readonly memberIds: readonly number[];
  readonly begun: RecordedRefund;
  /** The plans of which something is owed. */
  readonly open: readonly PlanRecord[];
}

/**
 * Ends the access of members at once, and what they owe. The refund ends the rest when the money is returned: their terms, their place and
 * the membership of the order. So a refusal has only members and plans to restore, which nobody else can have taken.
 */
async function endWithRefund(
  deps: OrderDeps,
  { last, placed, memberIds, begun, open }: EndedWithRefund,
  sideEffects: CancelSideEffects,
): Promise<CancelledMembership | undefined> {
  const { table, orgId, clock, requestId } = deps;
  const { orderId } = placed.order;
  // The members first: whoever adds a term changes them too, and then nothing is written.
  const read = await membersOfRefund(deps, placed, memberIds);
  const later = await membersWithLaterTerm(deps, placed, memberIds);
  if (later.length > 0) return { outcome: 'later_term', memberIds: later };
  if (await isRenewalInProgress(deps, memberIds)) return { outcome: 'charge_in_progress' };
  const pending = { orderId, number: begun.refund.number, nowUnix: unixSeconds(clock) };
  const changes = cancelledWithRefund(read, pending);
  const members = changes.map(({ after }) => after);
  const refund = { order: placed.order, recorded: begun.refund };
  const refusals = await transact(
    table,
    [...begun.items, ...cancelledPlanPuts(deps, open), ...memberWrites(table, orgId, changes)],
    [
      ...members.flatMap((member) =>
        outboxItems(table, orgId, memberUpdated(member), { nowMs: clock.nowMs(), requestId }),
      ),
      ...announced(deps, members, last),
      ...sideEffects({ members, refund }),
    ],
  );
  return refusals.length === 0 ? { outcome: 'cancelled', members, refund } : undefined;
}

interface PaidMembership extends Pick<Bought, 'placed' | 'line'> {
  readonly basket: Basket | undefined;
  readonly plans: readonly PlanRecord[];
}

/** The refund that ends a membership; undefined if nothing is returned and nothing is owed. */
async function planEnd(
  deps: OrderDeps,
  { basket, placed, line, plans }: PaidMembership,
  refund: CancelRefund,
): Promise<RefundPlan | undefined | 'refund_pending'> {
  const paid = basket?.payment ? basket : paidElsewhere(placed.order);
  // An import says nothing of what was paid.
  if (paid !== basket && receivedPayments(placed.order).length === 0) return undefined;
  const wanted = { tickets: [], members: line.map(({ memberId }) => memberId) };
  const whole = planRefund(paid, placed, wanted, plans);
  if (whole.memberIds.length < line.length) return 'refund_pending';
  const amounts = {
    all: () => whole.amountMinor,
    unused: () => unusedOf(deps, whole, { placed, line }),
    none: () => 0,
  };
  const planned = reducedRefund(whole, await amounts[refund]());
  return planned.amountMinor === 0 && planned.writtenOffMinor === undefined ? undefined : planned;
}

/** What was paid for a membership and not used. Cards are refunded in steps of their currency. */
async function unusedOf(
  { table, orgId, clock }: OrderDeps,
  whole: RefundPlan,
  { placed, line }: Pick<Bought, 'placed' | 'line'>,
): Promise<number> {
  const rests = line.map(async ({ memberId, termId }) => {
    const terms = await termsOfMember(table, orgId, memberId);
    const own = terms.find((term) => term.termId === termId);
    return own === undefined ? 0 : restMinor(own, terms, unixSeconds(clock));
  });
  const unpaidMinor = whole.writtenOffMinor ?? 0;
  const paidMinor = Math.min(whole.amountMinor, ticketsCostMinor(line) - unpaidMinor);
  const unused = unusedMinor({ restMinor: sumOf(await Promise.all(rests)), paidMinor, unpaidMinor });
  return chargeablePart(unused, placed.order.currency);
}

const cancelledReason = 'The membership was cancelled.';

interface RecordedRefund {
  readonly refund: RefundRecord;
  readonly items: readonly TransactItem[];
}

/** The basket with the refund, and what leads a worker to it. */
function recordRefund(
  { table, orgId, clock, requestId }: OrderDeps,
  basket: Basket,
  planned: RefundPlan,
): RecordedRefund {
  const nowUnix = unixSeconds(clock);
  const cause = { nowUnix, reason: cancelledReason, requestId: requestId ?? null };
  const { basket: begun } = beginRefund(basket, planned, cause);
  const after = { ...begun, version: basket.version + 1 };
  const refund = after.refunds.at(-1);
  if (refund === undefined) throw new Fault(`The refund of the order ${basket.basketId} is not recorded.`);
  const hint = dueHintItem(basketHint(orgId, basket, nowUnix));
  const request = { orderId: basket.basketId, number: refund.number, nowUnix };
  return {
    refund,
    items: [
      basketPut(table, orgId, basket, after),
      { Put: { TableName: table.name, Item: hint } },
      refundRequestPut(table, orgId, request),
    ],
  };
}
