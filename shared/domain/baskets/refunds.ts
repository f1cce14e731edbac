import { sumOf } from '../money.ts';
import type { TicketsChange } from '../orders/change-order.ts';
import { type OrderMembership, withWholeLines } from '../orders/membership.ts';
import { isRefundable, type OrderRecord, type OrderWithTickets, type TicketRecord } from '../orders/order.ts';
import type { FailedCharge, RefundRecord, ReturnedShare } from '../orders/refund.ts';
import { awaitedWriteOffMinor, invoiceOutstandingMinor } from '../orders/tender.ts';
import { ticketsCostMinor } from '../orders/ticket-discounts.ts';
import { type PlanRecord, paidElsewhereMinor, paidMinor, unpaidMinor } from '../plans/plan.ts';
import type { Basket, BasketPayment, BasketRefund } from './basket.ts';
import { type Decision, refused } from './changes.ts';

/** The refunds of an order: those of its payment, or those of an order that was not paid here. */
export function refundsOf(
  { refundsElsewhere }: Pick<OrderRecord, 'refundsElsewhere'>,
  basket: Pick<Basket, 'payment' | 'refunds'> | undefined,
): readonly RefundRecord[] {
  return basket?.payment ? basket.refunds : refundsElsewhere;
}

/** Returns the pending refund that is executed next. Several may be pending, each for other tickets. */
export function pendingRefund({ refunds }: Pick<Basket, 'refunds'>): BasketRefund | undefined {
  return refunds.find(({ state }) => state === 'pending');
}

export interface RefundPlan {
  readonly ticketIds: readonly number[];
  readonly memberIds: readonly number[];
  readonly amountMinor: number;
  readonly writtenOffMinor?: number | undefined;
  readonly keepMinor?: number | undefined;
  readonly keptMinor?: number | undefined;
  readonly elsewhereMinor?: number | undefined;
}

/** The tickets and members to refund. With one member of a family, the whole family is refunded. */
export type RefundedUnits = Pick<TicketsChange, 'tickets' | 'members'>;

/** What was paid for an order, and the refunds of it. */
export interface PaidBefore {
  readonly refunds: readonly RefundRecord[];
  readonly payment: Pick<BasketPayment, 'amountMinor'> | null;
}

/** What is left of an order that the provider did not charge, paid or owed, and the refunds of it that somebody still has to hand over. */
export function paidElsewhere(order: OrderRecord): PaidBefore {
  const { totalMinor, refundedMinor, keptMinor = 0, writtenOffMinor = 0, refundsElsewhere } = order;
  const refunds = refundsElsewhere.filter(({ state }) => state === 'pending');
  const goneMinor = refundedMinor + keptMinor + writtenOffMinor + awaitedWriteOffMinor(order);
  return { payment: { amountMinor: totalMinor - goneMinor }, refunds };
}

/** Of an invoice, what is owed is written off first: at most what was paid is returned. */
export function writtenOffFirst(plan: RefundPlan, order: OrderRecord): RefundPlan {
  const writtenOffMinor = Math.min(plan.amountMinor, invoiceOutstandingMinor(order));
  if (writtenOffMinor === 0) return plan;
  return { ...plan, amountMinor: plan.amountMinor - writtenOffMinor, writtenOffMinor };
}

/** What can still be refunded of an order: a ticket that was cancelled is paid for until it is refunded. */
function refundableUnits(
  { refunds }: Pick<PaidBefore, 'refunds'>,
  placed: OrderWithTickets,
): { readonly tickets: readonly TicketRecord[]; readonly memberships: readonly OrderMembership[] } {
  return {
    tickets: placed.tickets.filter((ticket) => isRefundable(ticket) && !isTaken(refunds, ticket)),
    memberships: placed.memberships.filter((one) => isRefundable(one) && !isMemberTaken(refunds, one)),
  };
}

/**
 * Plans a refund: what the tickets and memberships cost. The last ones of an order get the whole remaining amount, which
 * includes a fee on the order. What is already refunded is left out, and what is in a pending refund. Of a membership that is
 * paid in instalments, what is not paid is not returned.
 */
export function planRefund(
  { payment, refunds }: PaidBefore,
  placed: OrderWithTickets,
  { tickets: wanted, members = [] }: RefundedUnits,
  plans: readonly PlanRecord[] = [],
): RefundPlan {
  const paid = refundableUnits({ refunds }, placed);
  const tickets = paid.tickets.filter(({ ticketId }) => wanted === 'all' || wanted.includes(ticketId));
  const memberships = members === 'all' ? paid.memberships : withWholeLines(paid.memberships, members);
  const begun = refunds.filter(({ state }) => state !== 'refused');
  const refundedMinor = sumOf(begun.map(({ amountMinor, keptMinor = 0 }) => amountMinor + keptMinor));
  const paidLaterMinor = sumOf(plans.map((plan) => paidMinor(plan) - (plan.instalments[0]?.amountMinor ?? 0)));
  const remainingMinor = (payment?.amountMinor ?? 0) + paidLaterMinor - refundedMinor;
  const ended = plans.filter(({ planId }) => memberships.some((membership) => membership.planId === planId));
  const writtenOffMinor = sumOf(ended.map(unpaidMinor));
  const elsewhereMinor = sumOf(ended.map(paidElsewhereMinor));
  const costMinor = ticketsCostMinor([...tickets, ...memberships]) - writtenOffMinor;
  const isLast = tickets.length === paid.tickets.length && memberships.length === paid.memberships.length;
  return {
    ticketIds: tickets.map(({ ticketId }) => ticketId),
    memberIds: memberships.map(({ memberId }) => memberId),
    amountMinor: isLast ? remainingMinor : Math.min(costMinor, remainingMinor),
    ...(writtenOffMinor !== 0 && { writtenOffMinor }),
    ...(elsewhereMinor !== 0 && { elsewhereMinor }),
  };
}

/** A refund of less than was paid: the organisation keeps the rest. What it received elsewhere is returned last. */
export function reducedRefund({ elsewhereMinor = 0, ...plan }: RefundPlan, amountMinor: number): RefundPlan {
  const returnedElsewhereMinor = Math.max(
    0,
    Math.min(elsewhereMinor, amountMinor - (plan.amountMinor - elsewhereMinor)),
  );
  const keptMinor = plan.amountMinor - amountMinor;
  return {
    ...plan,
    amountMinor,
    ...(keptMinor !== 0 && { keptMinor }),
    ...(returnedElsewhereMinor !== 0 && { elsewhereMinor: returnedElsewhereMinor }),
  };
}

/** A ticket can be cancelled while its refund is executed: then only the refund shows that its money was returned. */
function isTaken(refunds: readonly RefundRecord[], { ticketId }: { readonly ticketId: number }): boolean {
  return refunds.some(({ state, ticketIds }) => state !== 'refused' && ticketIds.includes(ticketId));
}

function isMemberTaken(refunds: readonly RefundRecord[], { memberId }: { readonly memberId: number }): boolean {
  return refunds.some(({ state, memberIds }) => state !== 'refused' && memberIds.includes(memberId));
}

/** Records a refund before money moves. A ticket or a member is in at most one refund that is pending or done. */
export function beginRefund(
  basket: Basket,
  { ticketIds, memberIds, ...money }: RefundPlan,
  { nowUnix, reason, requestId }: Pick<BasketRefund, 'reason' | 'requestId'> & { readonly nowUnix: number },
): Decision {
  const { refunds } = basket;
  const isAnyTaken =
    ticketIds.some((ticketId) => isTaken(refunds, { ticketId })) ||
    memberIds.some((memberId) => isMemberTaken(refunds, { memberId }));
  if (isAnyTaken) return { outcome: 'unchanged', basket };
  const number = refunds.length + 1;
  const refund: BasketRefund = {
    number,
    ...money,
    ticketIds,
    memberIds,
    state: 'pending',
    startedUnix: nowUnix,
    reason,
    requestId,
  };
  return { outcome: 'changed', basket: { ...basket, refunds: [...refunds, refund] } };
}

/** Writes down that the provider has returned so many charges of a refund. They are not asked for again. */
export function recordReturned(basket: Basket, number: number, returnedCharges: number): Decision {
  const refund = basket.refunds.find((one) => one.number === number);
  if (refund?.state !== 'pending') return refused(basket, { reason: 'taken_over' });
  if ((refund.returnedCharges ?? 0) >= returnedCharges) return { outcome: 'unchanged', basket };
  const refunds = basket.refunds.map((one) => (one === refund ? { ...one, returnedCharges } : one));
  return { outcome: 'changed', basket: { ...basket, refunds } };
}

export function endRefund(
  basket: Basket,
  number: number,
  state: 'done' | 'refused',
  returnedShares: readonly ReturnedShare[] = [],
): Decision {
  if (pendingRefund(basket)?.number !== number) return refused(basket, { reason: 'taken_over' });
  const ended = { state, ...(returnedShares.length > 0 && { returnedShares }) };
  const refunds = basket.refunds.map((refund) => (refund.number === number ? { ...refund, ...ended } : refund));
  return { outcome: 'changed', basket: { ...basket, refunds } };
}

/** The refund of a tender is in the basket only until it is recorded in the order. */
export function withoutRefund(basket: Basket, number: number): Decision {
  const refunds = basket.refunds.filter((refund) => refund.number !== number);
  return refunds.length === basket.refunds.length
    ? { outcome: 'unchanged', basket }
    : { outcome: 'changed', basket: { ...basket, refunds } };
}

/**
 * Whether a refund can be taken back because nothing of it was returned: then its units can be refunded again. What was written off, kept
 * of memberships as a whole or returned elsewhere with it stays so.
 */
export function hasFailedWholly(
  { amountMinor, writtenOffMinor = 0, keepMinor, keptMinor = 0, elsewhereMinor = 0 }: RefundRecord,
  failed: FailedCharge,
): boolean {
  const isKeptOfEach = keptMinor === 0 || keepMinor !== undefined;
  return failed.amountMinor === amountMinor && isKeptOfEach && writtenOffMinor + elsewhereMinor === 0;
}

/**
 * Records that the provider did not return a charge after all. If nothing else belongs to the refund, it is as one that was refused.
 * Undefined if that is recorded already, or if the charge was never returned.
 */
export function failRefund(basket: Basket, number: number, failed: FailedCharge): Basket | undefined {
  const refund = basket.refunds.find((one) => one.number === number);
  const known = refund?.failedCharges ?? [];
  const isFailed = ({ key }: { readonly key: string }): boolean => key === failed.key;
  if (refund === undefined || known.some(isFailed)) return undefined;
  if (refund.state !== 'done' && refund.returnedShares?.some(isFailed) !== true) return undefined;
  const state = hasFailedWholly(refund, failed) ? ('refused' as const) : refund.state;
  const after = { ...refund, state, failedCharges: [...known, failed] };
  return { ...basket, refunds: basket.refunds.map((one) => (one === refund ? after : one)) };
}

/** Of the basket of an order: a reason and the pairs of metadata are free text, which may name the buyer. */
export function eraseFreeTexts(basket: Basket): Decision {
  const { metadata, ...kept } = basket;
  const isErased = metadata === undefined && basket.refunds.every(({ reason }) => reason === null);
  if (isErased) return { outcome: 'unchanged', basket };
  return {
    outcome: 'changed',
    basket: { ...kept, refunds: basket.refunds.map((refund) => ({ ...refund, reason: null })) },
  };
}
