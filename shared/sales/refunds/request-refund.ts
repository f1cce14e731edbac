import { basketHint, basketPut, changeBasket, readBasket } from '../../data/baskets/baskets.ts';
import { memberWrites } from '../../data/members/change.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { refundRequestPut } from '../../data/orders/refund-requests.ts';
import { dueHintItem } from '../../data/table/due-hints.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import type { Basket, BasketRefund } from '../../domain/baskets/basket.ts';
import { type KeepRefusal, keptOfCharge, keptRefund } from '../../domain/baskets/keep.ts';
import {
  beginRefund,
  paidElsewhere,
  planRefund,
  type RefundedUnits,
  writtenOffFirst,
} from '../../domain/baskets/refunds.ts';
import { unknownMembers, unknownTickets } from '../../domain/orders/change-order.ts';
import type { OrderRecord, OrderWithTickets } from '../../domain/orders/order.ts';
import type { RefundRecord } from '../../domain/orders/refund.ts';
import { type ReturnedBy, receivedPayments } from '../../domain/orders/tender.ts';
import { isSettled } from '../../domain/plans/plan.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import { isRenewalInProgress } from '../ended-memberships/switched-off.ts';
import { cancelOrRefundTickets, type LaterTerm, type OrderDeps } from './cancel-or-refund-tickets.ts';
import { membersWithLaterTerm } from './later-terms.ts';
import { beginOnce, cancelledPlanPuts, plansOfOrder } from './refund-plans.ts';
import { membersOfRefund, withPendingRefund } from './refunded-members.ts';

export interface RefundRequest {
  readonly orderId: number;
  /** Without ids, all tickets that no other refund contains. */
  readonly tickets: RefundedUnits['tickets'];
  readonly members?: NonNullable<RefundedUnits['members']>;
  readonly reason: string | null;
  /** What the organisation keeps of each unit, in major units of the currency; nothing by default. */
  readonly keep?: number;
  /** Who hands over what a tender has paid; `later` if nobody is there to do it. What the provider charged needs none. */
  readonly returnedBy?: ReturnedBy | 'later' | undefined;
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
  | KeepRefusal
  /** A tender has paid it, and the request does not say who hands the money over; or the provider has, and it does. */
  | { readonly outcome: 'return_missing' | 'return_needless' }
  /** These tickets and members are refunded, or a pending refund contains them; none are listed if nothing is left to refund. */
  | ({ readonly outcome: 'already_refunded' } & Refundable);

interface Refundable {
  readonly ticketIds: readonly number[];
  readonly memberIds: readonly number[];
}

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
    return basket?.payment
      ? requestOfPayment(deps, { basket, placed, read: members }, request, sideEffects)
      : refundElsewhere(deps, placed, request, sideEffects);
  });
}

interface PaidOrder {
  readonly basket: Basket;
  readonly placed: OrderWithTickets;
  /** The members whose last term would be refunded. */
  readonly read: readonly MemberRecord[];
}

/** Undefined if the basket, a plan or a member changed in between. */
async function requestOfPayment(
  deps: OrderDeps,
  { basket, placed, read }: PaidOrder,
  { tickets, members = [], reason, keep = 0, returnedBy, isExecutedByCaller = false }: RefundRequest,
  sideEffects: SideEffects,
): Promise<RequestedRefund | undefined> {
  const { table, orgId, clock, requestId } = deps;
  if (returnedBy !== undefined && returnedBy !== 'later') return { outcome: 'return_needless' };
  const plans = await plansOfOrder(deps, placed);
  const whole = planRefund(basket, placed, { tickets, members }, plans);
  const conflict = conflictOf({ tickets, members }, whole);
  if (conflict !== undefined) return conflict;
  const plan = keptOfCharge(whole, placed, plans, keep);
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
        ...memberWrites(
          table,
          orgId,
          withPendingRefund(read, { orderId: basket.basketId, number: newest(after).number, nowUnix }),
        ),
        ...sideEffects(placed.order, newest(after)),
      ],
    ),
  );
  return started?.outcome === 'changed'
    ? { outcome: 'recorded', order: placed.order, refund: newest(started.basket) }
    : undefined;
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
  placed: OrderWithTickets,
  { orderId, tickets, members = [], reason, keep = 0, returnedBy }: RefundRequest,
  sideEffects: SideEffects,
): Promise<RequestedRefund | undefined> {
  const { order: before } = placed;
  const whole = planRefund(paidElsewhere(before), placed, { tickets, members });
  const conflict = conflictOf({ tickets, members }, whole);
  if (conflict !== undefined) return conflict;
  const plan = keptRefund(writtenOffFirst(whole, before), placed, [], keep);
  if ('outcome' in plan) return plan;
  const { ticketIds, memberIds, keepMinor, writtenOffMinor } = plan;
  const isHandedOver = receivedPayments(before).length > 0 && plan.amountMinor > 0;
  if (isHandedOver && returnedBy === undefined) return { outcome: 'return_missing' };
  const isLater = isHandedOver && returnedBy === 'later';
  const common = { tickets: ticketIds, members: memberIds, ofVersion: before.version };
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
    sideEffects: ({ after: { order } }) => sideEffects(order, recordedIn(order)),
  });
  if (changed.outcome === 'refused') throw new Fault(`The stock of the order ${orderId} is missing.`);
  if (changed.outcome !== 'changed') return undefined;
  const { order } = changed.change.after;
  return { outcome: 'recorded', order, refund: recordedIn(order) };
}

function recordedIn({ orderId, refundsElsewhere }: OrderRecord): RefundRecord {
  const refund = refundsElsewhere.at(-1);
  if (refund === undefined) throw new Fault(`The refund of the order ${orderId} is not recorded.`);
  return refund;
}

function conflictOf(
  { tickets, members = [] }: RefundedUnits,
  { ticketIds, memberIds }: Refundable,
): Extract<RequestedRefund, { outcome: 'already_refunded' }> | undefined {
  const taken = {
    ticketIds: tickets === 'all' ? [] : tickets.filter((id) => !ticketIds.includes(id)),
    memberIds: members === 'all' ? [] : members.filter((id) => !memberIds.includes(id)),
  };
  const isAnyTaken = taken.ticketIds.length + taken.memberIds.length > 0;
  return isAnyTaken || ticketIds.length + memberIds.length === 0
    ? { outcome: 'already_refunded', ...taken }
    : undefined;
}
