import { journalItems } from '../../data/journal/journal-items.ts';
import { type MemberChange, memberWrites, withFields } from '../../data/members/change.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { endingRemoval, type TicketVersion } from '../../data/orders/ticket-ending.ts';
import { planHintPuts, planPut } from '../../data/plans/plans.ts';
import { renewalHintPut } from '../../data/renewals/renewals.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { readBarcodeRows } from '../../data/transfers/read.ts';
import { afterRefusedRefund } from '../../domain/members/cancellation.ts';
import { instalmentsStatus, isPaidMember } from '../../domain/members/status.ts';
import { sumOf } from '../../domain/money.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import type { RefundRecord, ReturnedShare } from '../../domain/orders/refund.ts';
import { outstandingMinor, overdueSinceUnix, type PlanRecord } from '../../domain/plans/plan.ts';
import { reopenCancelled, returnInstalment } from '../../domain/plans/refund.ts';
import { memberUpdated } from '../../mappers/member-events.ts';
import { type Cause, outboxItems } from '../../outbox/outbox.ts';
import type { CheckoutDeps } from '../deps.ts';
import { plansOfOrder, type RefundedCharge } from './refund-plans.ts';

/** What a refund changed when it was recorded, as it was read. */
export interface ChangedByRequest {
  readonly members: readonly MemberRecord[];
  readonly plans: readonly PlanRecord[];
  /** The tickets that their buyer has cancelled with it. */
  readonly endingTickets: readonly TicketVersion[];
}

export async function readChangedByRequest(
  deps: Pick<CheckoutDeps, 'table' | 'orgId'>,
  placed: OrderWithTickets,
  { number, ticketIds, memberIds }: RefundRecord,
): Promise<ChangedByRequest> {
  const { table, orgId } = deps;
  const barcodes = placed.tickets.filter(({ ticketId }) => ticketIds.includes(ticketId)).map(({ barcode }) => barcode);
  const [plans, members, rows] = await Promise.all([
    plansOfOrder(deps, placed),
    Promise.all(memberIds.map((memberId) => readMember(table, orgId, memberId))),
    // A buyer cancels one ticket at a time.
    barcodes.length === 1 ? readBarcodeRows(table, orgId, barcodes) : [],
  ]);
  const { orderId } = placed.order;
  return {
    endingTickets: rows
      .filter(({ endingWith }) => endingWith === number)
      .map(({ ticket: { barcode }, version }) => ({ barcode, version })),
    plans: plans.filter((plan) => plan.memberIds.some((memberId) => memberIds.includes(memberId))),
    members: members
      .filter((member) => member !== undefined)
      .filter(({ pendingRefund }) => pendingRefund?.orderId === orderId && pendingRefund.number === number),
  };
}

/**
 * The writes that restore what the request of a refused refund changed: the instalments that it cancelled, and its members. An instalment
 * whose charge was returned before another one was refused is owed again, and the journal says so.
 */
export function restoredItems(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { members, plans, endingTickets }: ChangedByRequest,
  {
    placed,
    returned,
    cause,
  }: {
    readonly placed: OrderWithTickets;
    readonly returned: readonly RefundedCharge[];
    readonly cause: Cause;
  },
): readonly TransactItem[] {
  const nowUnix = Math.floor(cause.nowMs / 1000);
  const reopened = plans.map((before) => ({ before, after: reopenedPlan(before, returned, nowUnix) }));
  const changes = members.map((before) => {
    const plan = reopened.find(({ after }) => after.planId === before.planId)?.after;
    return restoredMember(before, returned.length === 0 ? undefined : plan, nowUnix);
  });
  const amountMinor = sumOf(returned.map((one) => one.amountMinor));
  const move = { moved: 'returned_instalments', order: placed.order, amountMinor } as const;
  return [
    ...endingTickets.map((ticket) => endingRemoval(table, orgId, ticket)),
    ...reopened.flatMap(({ before, after }) => [
      planPut(table, orgId, before, after),
      ...planHintPuts(table, orgId, after),
    ]),
    ...memberWrites(table, orgId, changes),
    ...renewalLooks({ table, orgId }, changes, nowUnix),
    ...journalItems(table, orgId, amountMinor === 0 ? undefined : move, cause.nowMs),
    ...changes
      .filter(({ before, after }) => before?.statusId !== after.statusId)
      .flatMap(({ after }) => outboxItems(table, orgId, memberUpdated(after), cause)),
  ];
}

/** The shares that were returned, as they were paid. */
export function returnedShares(
  { plans }: ChangedByRequest,
  returned: readonly RefundedCharge[],
): readonly ReturnedShare[] {
  return returned.flatMap(({ key, share, charge: { provider, chargeId, account } }) => {
    const plan = plans.find(({ planId }) => planId === share?.planId);
    const paid = plan?.instalments.find(({ number }) => number === share?.number);
    if (share === undefined || paid === undefined) return [];
    const { dueUnix, paidUnix } = paid;
    return [{ key, ...share, dueUnix, paidUnix, charge: { provider, chargeId, account } }];
  });
}

function reopenedPlan(plan: PlanRecord, returned: readonly RefundedCharge[], nowUnix: number): PlanRecord {
  const numbers = returned.flatMap(({ share }) => (share?.planId === plan.planId ? share.number : []));
  const open = numbers.reduce((after, number) => returnInstalment(after, number, nowUnix), reopenCancelled(plan));
  return { ...open, version: plan.version + 1 };
}

/** With a plan of which something was returned, the member owes it again. */
function restoredMember(before: MemberRecord, plan: PlanRecord | undefined, nowUnix: number): MemberChange {
  const { pendingRefund } = before;
  const fields = { statusId: before.statusId, ...(pendingRefund !== null && afterRefusedRefund(pendingRefund)) };
  const { statusId } = fields;
  const owing =
    plan === undefined
      ? {}
      : {
          overdueSinceUnix: overdueSinceUnix(plan),
          statusId: isPaidMember({ statusId }) && outstandingMinor(plan) > 0 ? instalmentsStatus : statusId,
        };
  return { before, after: withFields(before, { ...fields, ...owing }, nowUnix) };
}

/** The worker passed over the auto-renewal of a cancelled member, and looks at it again. */
function renewalLooks(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  changes: readonly MemberChange[],
  nowUnix: number,
): readonly TransactItem[] {
  const ids = new Set(changes.flatMap(({ after }) => (after.autoRenew ? (after.renewalId ?? []) : [])));
  return [...ids].map((renewalId) => renewalHintPut(table, orgId, renewalId, nowUnix));
}
