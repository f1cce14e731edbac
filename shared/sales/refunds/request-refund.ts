import { basketHint, basketPut, changeBasket, readBasket } from '../../data/baskets/baskets.ts';
import { type MemberChange, memberWrites } from '../../data/members/change.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { refundRequestPut } from '../../data/orders/refund-requests.ts';
import { dueHintItem } from '../../data/table/due-hints.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import type { Basket, BasketRefund } from '../../domain/baskets/basket.ts';
import type { KeptPercent } from '../../domain/baskets/keep.ts';
import { beginRefund, paidElsewhere, planRefund, type RefundedUnits } from '../../domain/baskets/refunds.ts';
import { isCancelledMember } from '../../domain/members/status.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { unknownMembers, unknownTickets } from '../../domain/orders/change-order.ts';
import type { OrderRecord, OrderWithTickets } from '../../domain/orders/order.ts';
import type { RefundRecord } from '../../domain/orders/refund.ts';
import { type ReturnedBy, receivedPayments } from '../../domain/orders/tender.ts';
import { isSettled } from '../../domain/plans/plan.ts';
import { membershipCancelled, memberUpdated } from '../../mappers/member-events.ts';
import { type Announcement, outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import { isRenewalInProgress } from '../ended-memberships/switched-off.ts';
import { cancelOrRefundTickets, type LaterTerm, type OrderDeps } from './cancel-or-refund-tickets.ts';
import { checksOf, type JudgedTicket, judgedItems, refusalOf } from './judged-ticket.ts';
import { membersWithLaterTerm } from './later-terms.ts';
import { type PlanRefusal, planOfRequest } from './plan-request.ts';
import { beginOnce, cancelledPlanPuts, plansOfOrder } from './refund-plans.ts';
import {
  cancelledWithRefund,
  membersOfRefund,
  type RecordedRefund,
  termsEndingNow,
  withPendingRefund,
} from './refunded-members.ts';

export interface RefundRequest {
  readonly orderId: number;
  /** Without ids, all tickets that no other refund contains. */
  readonly tickets: RefundedUnits['tickets'];
  readonly members?: NonNullable<RefundedUnits['members']>;
  readonly reason: string | null;
  /** What the organisation keeps of each unit, in major units of the currency or as a share of its cost; nothing by default. */
  readonly keep?: number | KeptPercent;
  /** What must still be so when the refund is written. If it is not, `TicketChanged` is thrown, and nothing is written. */
  readonly judged?: JudgedTicket;
  /** Who hands over what a tender has paid; `later` if nobody is there to do it. What the provider charged needs none. */
  readonly returnedBy?: ReturnedBy | 'later' | undefined;
  /** Whether members lose access with the request, as cancel-member does it, and not when the money is returned. */
  readonly endsAccess?: boolean;
  /** Whether the caller executes the refund itself: then the stream does not tell a worker of it. */
  readonly isExecutedByCaller?: boolean;
}

export type RequestedRefund =
  | { readonly outcome: 'recorded'; readonly order: OrderRecord; readonly refund: RefundRecord }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'unknown_tickets'; readonly ticketIds: readonly number[] }
  | { readonly outcome: 'unknown_members' }
  | LaterTerm
  /** An instalment or the renewal of a membership is being charged. Nothing was changed. */
  | { readonly outcome: 'charge_in_progress' }
  | PlanRefusal
  /** A tender has paid it, and the request does not say who hands the money over; or the provider has, and it does. */
  | { readonly outcome: 'return_missing' | 'return_needless' };

type SideEffects = (order: OrderRecord, refund: RefundRecord) => readonly TransactItem[];

/**
 * Records a refund without calling the payment provider. A worker carries it out as soon as the stream delivers the request,
 * and otherwise the sweeper, which finds the basket by its hint. What the provider did not charge
 * has nobody to wait for: its tickets are refunded at once, or end at once if the money is handed over later.
 */
export function requestRefund(
  deps: OrderDeps,
  request: RefundRequest,
  sideEffects: SideEffects,
): Promise<RequestedRefund> {
  const { table, orgId } = deps;
  const { orderId } = request;
  return retryRaces('refunds of this order', async (): Promise<RequestedRefund | undefined> => {
    const placed = await readOrderWithTickets(table, orgId, orderId);
    if (placed === undefined) return { outcome: 'missing' };
    const unknown = unknownTickets(placed, request);
    if (unknown.length > 0) return { outcome: 'unknown_tickets', ticketIds: unknown };
    if (unknownMembers(placed, request).length > 0) return { outcome: 'unknown_members' };
    const basket = await readBasket(table, orgId, orderId);
    const { memberIds } = planRefund(basket?.payment ? basket : paidElsewhere(placed.order), placed, request);
    // The members first: whoever adds a term changes them too, and then this request is refused.
    const members = await membersOfRefund(deps, placed, memberIds);
    const later = await membersWithLaterTerm(deps, placed, memberIds);
    if (later.length > 0) return { outcome: 'later_term', memberIds: later };
    if (await isRenewalInProgress(deps, memberIds)) return { outcome: 'charge_in_progress' };
    const ending = await termsEndingNow(deps, placed, members, request);
    return basket?.payment
      ? requestOfPayment(deps, { basket, placed, read: members, ending }, request, sideEffects)
      : refundElsewhere(deps, { placed, ending }, request, sideEffects);
  });
}

interface PaidOrder {
  readonly basket: Basket;
  readonly placed: OrderWithTickets;
  /** The members whose last term would be refunded. */
  readonly read: readonly MemberRecord[];
  /** Those who lose access at once, with the term that ends. */
  readonly ending: Ending;
}

type Ending = ReadonlyMap<number, TermRecord>;

/** Undefined if the basket, a plan or a member changed in between. */
async function requestOfPayment(
  deps: OrderDeps,
  { basket, placed, read, ending }: PaidOrder,
  request: RefundRequest,
  sideEffects: SideEffects,
): Promise<RequestedRefund | undefined> {
  const { table, orgId, clock, requestId } = deps;
  const { reason, returnedBy, isExecutedByCaller = false, judged } = request;
  if (returnedBy !== undefined && returnedBy !== 'later') return { outcome: 'return_needless' };
  const plans = await plansOfOrder(deps, placed);
  const plan = planOfRequest({ basket, placed, plans }, request);
  if ('outcome' in plan) return plan;
  const ended = plans.filter(({ memberIds }) => memberIds.some((memberId) => plan.memberIds.includes(memberId)));
  if (!ended.every(isSettled)) return { outcome: 'charge_in_progress' };
  const nowUnix = unixSeconds(clock);
  const newest = ({ refunds }: Basket): BasketRefund => {
    const refund = refunds.at(-1);
    if (refund === undefined) throw new Fault(`The refund of the order ${basket.basketId} is not recorded.`);
    return refund;
  };
  const started = await beginOnce(deps, { plans: ended, members: read }, () =>
    changeBasket(
      table,
      {
        orgId,
        basketId: basket.basketId,
        // The plan is valid only for the version of the basket that it was made from.
        decide: (current) =>
          current.version === basket.version
            ? beginRefund(current, plan, { nowUnix, reason, requestId: requestId ?? null })
            : { outcome: 'unchanged', basket: current },
        recheckTimes: () => [nowUnix],
      },
      (after) => [
        ...(isExecutedByCaller
          ? []
          : [refundRequestPut(table, orgId, { orderId: basket.basketId, number: newest(after).number, nowUnix })]),
        ...cancelledPlanPuts(deps, ended),
        ...pendingMembers(deps, { read, ending }, { orderId: basket.basketId, number: newest(after).number, nowUnix }),
        ...judgedItems(deps, judged, newest(after)),
        ...sideEffects(placed.order, newest(after)),
      ],
    ),
  );
  return started?.outcome === 'changed'
    ? { outcome: 'recorded', order: placed.order, refund: newest(started.basket) }
    : undefined;
}

/** The members of a refund that is pending, and the events of those who lose access with it. */
function pendingMembers(
  deps: OrderDeps,
  { read, ending }: Pick<PaidOrder, 'read' | 'ending'>,
  pending: RecordedRefund,
): readonly TransactItem[] {
  const [ended, others] = [true, false].map((isEnding) => read.filter((one) => ending.has(one.memberId) === isEnding));
  const cancelled = cancelledWithRefund(ended ?? [], pending);
  const changes = [...cancelled, ...withPendingRefund(others ?? [], pending)];
  const updated = cancelled.flatMap(({ after }) => announced(deps, memberUpdated(after)));
  return [...memberWrites(deps.table, deps.orgId, changes), ...updated, ...cancelledEvents(deps, cancelled, ending)];
}

const announced = ({ table, orgId, clock, requestId }: OrderDeps, event: Announcement): readonly TransactItem[] =>
  outboxItems(table, orgId, event, { nowMs: clock.nowMs(), requestId });

function cancelledEvents(deps: OrderDeps, changes: readonly MemberChange[], ending: Ending): readonly TransactItem[] {
  return changes
    .filter(({ after }) => ending.has(after.memberId) && isCancelledMember(after))
    .flatMap(({ after }) => announced(deps, membershipCancelled(after, ending.get(after.memberId), 'now')));
}

interface CompletedBasket {
  /** The basket as it was read. */
  readonly before: Basket;
  /** The basket of the order. */
  readonly after: Basket;
  readonly placed: OrderWithTickets;
  readonly nowUnix: number;
}

/** The basket of a new order with the refund of the whole order, and what leads a worker to it: the event was cancelled while it was paid. */
export function refundedAtOnce(
  { table, orgId, requestId }: Pick<OrderDeps, 'table' | 'orgId' | 'requestId'>,
  { before, after, placed, nowUnix }: CompletedBasket,
): readonly TransactItem[] {
  const cause = { nowUnix, reason: 'The event was cancelled.', requestId: requestId ?? null };
  // Memberships are not those of the event, and stay.
  const paid = after.payment === null ? paidElsewhere(placed.order) : after;
  const { basket } = beginRefund(after, planRefund(paid, placed, { tickets: 'all' }), cause);
  const hint = dueHintItem(basketHint(orgId, basket, nowUnix));
  return [
    basketPut(table, orgId, before, basket),
    { Put: { TableName: table.name, Item: hint } },
    refundRequestPut(table, orgId, { orderId: basket.basketId, number: basket.refunds.length, nowUnix }),
  ];
}

/** Undefined if the order changed in between. */
async function refundElsewhere(
  deps: OrderDeps,
  { placed, ending }: Pick<PaidOrder, 'placed' | 'ending'>,
  request: RefundRequest,
  sideEffects: SideEffects,
): Promise<RequestedRefund | undefined> {
  const { order: before } = placed;
  const { orderId, reason, returnedBy, judged } = request;
  const plan = planOfRequest({ basket: undefined, placed, plans: [] }, request);
  if ('outcome' in plan) return plan;
  const { ticketIds, memberIds, keepMinor, writtenOffMinor } = plan;
  const isHandedOver = receivedPayments(before).length > 0 && plan.amountMinor > 0;
  if (isHandedOver && returnedBy === undefined) return { outcome: 'return_missing' };
  const isLater = isHandedOver && returnedBy === 'later';
  const ofTicket = judged && { ticketVersion: judged.row.version };
  const common = { tickets: ticketIds, members: memberIds, ofVersion: before.version, ...ofTicket };
  const wanted = isLater
    ? ({ ...common, to: 'cancelled', awaits: { ...plan, reason } } as const)
    : ({
        ...common,
        to: 'refunded',
        elsewhere: { reason, ...(isHandedOver && returnedBy !== 'later' && { returnedBy }) },
        ...(keepMinor !== undefined && { keepMinor }),
        ...(writtenOffMinor !== undefined && { writtenOffMinor }),
      } as const);
  const changed = await cancelOrRefundTickets(deps, orderId, wanted, {
    callerItems: () => checksOf(judged),
    sideEffects: ({ after: { order } }, _context, changes) => [
      ...cancelledEvents(deps, changes, ending),
      ...sideEffects(order, recordedIn(order)),
    ],
  });
  if (changed.outcome === 'refused') throw refusalOf(orderId, judged);
  if (changed.outcome !== 'changed') return undefined;
  const { order } = changed.change.after;
  return { outcome: 'recorded', order, refund: recordedIn(order) };
}

function recordedIn({ orderId, refundsElsewhere }: OrderRecord): RefundRecord {
  const refund = refundsElsewhere.at(-1);
  if (refund === undefined) throw new Fault(`The refund of the order ${orderId} is not recorded.`);
  return refund;
}
