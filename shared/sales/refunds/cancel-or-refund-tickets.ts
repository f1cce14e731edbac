import { basketHint } from '../../data/baskets/baskets.ts';
import { readCustomer } from '../../data/customers/read.ts';
import { readEvent } from '../../data/events/read.ts';
import { type MemberChange, memberWrites, withFields } from '../../data/members/change.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { type ChangeOutcome, changeTickets } from '../../data/orders/change-tickets.ts';
import { readOrder, readOrderWithTickets } from '../../data/orders/read.ts';
import { dueHintItem } from '../../data/table/due-hints.ts';
import { retry } from '../../data/table/retry.ts';
import type { Table } from '../../data/table/table.ts';
import { labelled, type TransactItem } from '../../data/table/transact.ts';
import { termEnds, termsOfMember } from '../../data/terms/terms.ts';
import { cancelledNow } from '../../domain/members/cancellation.ts';
import { hasLaterTerm, memberOfTerms } from '../../domain/members/next-term.ts';
import { cancelledStatus, isCancelledMember, paidStatus } from '../../domain/members/status.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import type { ChangedOrder, TicketsChange } from '../../domain/orders/change-order.ts';
import { withWholeLines } from '../../domain/orders/membership.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import type { RefundRecord } from '../../domain/orders/refund.ts';
import { invoiceOutstandingMinor } from '../../domain/orders/tender.ts';
import { outstandingMinor } from '../../domain/plans/plan.ts';
import { memberUpdated } from '../../mappers/member-events.ts';
import { type OrderContext, orderCancelled, orderRefunded } from '../../mappers/order-events.ts';
import { type Announcement, outboxItems } from '../../outbox/outbox.ts';
import { type Clock, unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import { type SwitchedOff, switchedOffByRecord } from '../ended-memberships/switched-off.ts';
import { keptPlaces, returnedBefore } from './kept-places.ts';
import { plansOfOrder } from './refund-plans.ts';
import { returnedStock, returnedToLimits } from './returned-stock.ts';

export interface OrderDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly clock: Clock;
  readonly requestId: string | undefined;
}

/** What the caller adds to the transaction of the tickets. */
export interface TicketsExtras {
  /** The refund of a payment that the change belongs to. Without it, a refund is recorded in the order. */
  readonly refund?: RefundRecord;
  readonly callerItems?: () => readonly TransactItem[];
  readonly sideEffects?: (
    change: ChangedOrder,
    context: OrderContext,
    members: readonly MemberChange[],
  ) => readonly TransactItem[];
  /** Whether the members are cancelled whatever terms they have left. The caller ends what is owed. */
  readonly endsMembers?: boolean;
}

export type EndedTickets =
  | ChangeOutcome
  | LaterTerm
  | { readonly outcome: 'plan_open' | 'invoice_open' | 'charge_in_progress' | 'refund_in_progress' };

/**
 * Cancels or refunds tickets and memberships. One transaction changes the tickets, the members, the order, the counters and the
 * stock, enters a refund into the
 * journal, announces the event, and writes the items of the caller.
 */
export async function cancelOrRefundTickets(
  deps: OrderDeps,
  orderId: number,
  wanted: Omit<TicketsChange, 'atUnix'>,
  { refund, callerItems = () => [], sideEffects = () => [], endsMembers = false }: TicketsExtras = {},
): Promise<EndedTickets> {
  const { table, orgId, clock, requestId } = deps;
  const mayLeaveDebt = wanted.to === 'cancelled' && !endsMembers;
  if (mayLeaveDebt && (await hasOpenPlan(deps, orderId, wanted))) return { outcome: 'plan_open' };
  // A refund that awaits its return writes off what is owed.
  const keepsDebt = wanted.to === 'cancelled' && wanted.awaits === undefined;
  const change: TicketsChange = {
    ...(wanted.to === 'refunded' && refund === undefined && { elsewhere: { reason: null } }),
    ...(refund?.writtenOffMinor !== undefined && { writtenOffMinor: refund.writtenOffMinor }),
    ...(refund?.keptMinor !== undefined && { keptMinor: refund.keptMinor }),
    ...(refund?.keepMinor !== undefined && { keepMinor: refund.keepMinor }),
    ...wanted,
    atUnix: unixSeconds(clock),
  };
  return retry(
    (error) => error instanceof OutdatedContext,
    async (): Promise<
      ChangeOutcome | LaterTerm | { readonly outcome: 'invoice_open' | 'charge_in_progress' | 'refund_in_progress' }
    > => {
      const order = await readOrder(table, orgId, orderId);
      // Judged here: what is owed never grows, and a payment meanwhile changes the order, which is then read again.
      if (keepsDebt && order !== undefined && invoiceOutstandingMinor(order) > 0) return { outcome: 'invoice_open' };
      const [context, members] = await Promise.all([
        readOrderContext(deps, order),
        membersToEnd(deps, orderId, wanted),
      ]);
      // The refund ends the membership, or restores it if it is refused.
      const isPending = members.some(({ member }) => member.pendingRefund !== null);
      if (wanted.to === 'cancelled' && isPending) return { outcome: 'refund_in_progress' };
      // A refund whose money has moved is never refused: it is checked when it is requested.
      const later = wanted.to === 'cancelled' ? members.filter(isFollowed) : [];
      if (later.length > 0) return { outcome: 'later_term', memberIds: later.map(({ member }) => member.memberId) };
      const last = members.filter(isLastTerm).map(({ member }) => member);
      const renewals = await switchedOffByRecord(deps, last, { isRefunded: wanted.to === 'refunded' });
      if (renewals === 'in_progress') return { outcome: 'charge_in_progress' };
      const ended = (changed: ChangedOrder) =>
        endedMembers(changed, members, { to: wanted.to, endsMembers, renewals, nowUnix: unixSeconds(clock) });
      const isFinal = ({ member }: MemberToEnd) => endsMembers || member.pendingRefund?.before != null;
      const [returnedPlaces, placesGone] = await Promise.all([
        keptPlaces(deps, members.filter(isFinal)),
        returnedBefore(
          deps,
          members.filter(({ member }) => isCancelledMember(member)),
        ),
      ]);
      const outcome = await changeTickets(
        table,
        { orgId, orderId },
        { ...change, returnedPlaces, returnedBefore: placesGone },
        {
          booking: { nowMs: () => clock.nowMs(), refund },
          callerItems: (changed) => {
            if (changed.before.order.version !== order?.version) throw new OutdatedContext();
            return [
              ...callerItems(),
              ...returnedStock(deps, changed),
              ...returnedToLimits(deps, changed),
              ...labelled(memberLabel, memberWrites(table, orgId, ended(changed))),
              ...labelled(memberLabel, endedRenewals(ended(changed), renewals)),
              ...termEnds(table, orgId, changed.ended, wanted.to),
              ...followHint(deps, orderId, ended(changed)),
            ];
          },
          sideEffects: (changed) => {
            const announced = announcement(orgId, changed, context, wanted.to === 'refunded' ? refund : 'none');
            // Of units that were cancelled before, only the refund is recorded that awaits its return.
            const isAnnounced = changed.changed.length + changed.ended.length > 0;
            return [
              ...(isAnnounced ? outboxItems(table, orgId, announced, { nowMs: clock.nowMs(), requestId }) : []),
              ...ended(changed)
                .filter(isShownChange)
                .flatMap(({ after }) =>
                  outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
                ),
              ...sideEffects(changed, context, ended(changed)),
            ];
          },
        },
      );
      const isMemberChanged =
        outcome.outcome === 'refused' && outcome.refusals.some(({ label }) => label === memberLabel);
      if (isMemberChanged) throw new OutdatedContext();
      return outcome;
    },
  );
}

/**
 * Whether a membership that is to be cancelled is not paid completely. Cancelling leaves the money, and would leave the debt too: a
 * refund ends both.
 */
async function hasOpenPlan(
  deps: OrderDeps,
  orderId: number,
  { members = [] }: Pick<TicketsChange, 'members'>,
): Promise<boolean> {
  if (members.length === 0) return false;
  const placed = await readOrderWithTickets(deps.table, deps.orgId, orderId);
  if (placed === undefined) return false;
  const chosen = members === 'all' ? placed.memberships : withWholeLines(placed.memberships, members);
  return (await plansOfOrder(deps, { memberships: chosen })).some((plan) => outstandingMinor(plan) > 0);
}

const memberLabel = 'member';

/** These members have bought a later term, which must end first. */
export interface LaterTerm {
  readonly outcome: 'later_term';
  readonly memberIds: readonly number[];
}

interface MemberToEnd {
  readonly member: MemberRecord;
  readonly termId: number;
  readonly terms: readonly TermRecord[];
}

const isFollowed = ({ terms, termId }: MemberToEnd): boolean => hasLaterTerm(terms, termId);

/** Whether the member's last term ends. One that was cancelled before, and is refunded now, ends nothing that the member has. */
const isLastTerm = (member: MemberToEnd): boolean =>
  !isFollowed(member) && member.terms.some(({ termId, state }) => termId === member.termId && state === 'active');

/** Reads the members whose memberships may end, with their terms. */
async function membersToEnd(
  { table, orgId }: OrderDeps,
  orderId: number,
  { members = [] }: Pick<TicketsChange, 'members'>,
): Promise<readonly MemberToEnd[]> {
  if (members.length === 0) return [];
  const placed = await readOrderWithTickets(table, orgId, orderId);
  const memberships = placed?.memberships ?? [];
  const chosen = members === 'all' ? memberships : withWholeLines(memberships, members);
  const found = chosen.map(async ({ memberId, termId }) => {
    // The member first: whoever adds a term changes it too, and then this change is refused.
    const member = await readMember(table, orgId, memberId);
    return member && { member, termId, terms: await termsOfMember(table, orgId, memberId) };
  });
  return (await Promise.all(found)).filter((member) => member !== undefined);
}

interface Ending {
  readonly to: TicketsChange['to'];
  readonly endsMembers: boolean;
  readonly renewals: SwitchedOff;
  readonly nowUnix: number;
}

function endedRenewals(changes: readonly MemberChange[], renewals: Ending['renewals']): readonly TransactItem[] {
  const ids = new Set(changes.flatMap(({ after }) => after.renewalId ?? []));
  return [...ids].flatMap((renewalId) => renewals.get(renewalId) ?? []);
}

/**
 * A member whose only term is refunded or cancelled is cancelled: no gate admits it from then on. One with an earlier term returns to
 * that one, and does not renew itself any more.
 */
function endedMembers(
  { ended, before: { order } }: ChangedOrder,
  members: readonly MemberToEnd[],
  { to, endsMembers, renewals, nowUnix }: Ending,
): MemberChange[] {
  return ended.flatMap(({ memberId, termId, planId }) => {
    const found = members.find(({ member }) => member.memberId === memberId);
    if (found === undefined) return [];
    const { member: before, terms } = found;
    const left = memberOfTerms(terms.map((term) => (term.termId === termId ? { ...term, state: to } : term)));
    const isEnded = left === 'ended' || isCancelledMember(before);
    // The instalments of this term are not owed any more, and those of the term before are paid.
    const paid = planId != null && planId === before.planId ? { statusId: paidStatus, overdueSinceUnix: null } : {};
    const leftFields = isEnded ? { statusId: cancelledStatus } : { ...paid, ...left };
    const off = before.renewalId !== null && renewals.has(before.renewalId) ? { autoRenew: false } : {};
    const fields = endsMembers ? cancelledNow(before, nowUnix) : leftFields;
    const after = withFields(before, { ...fields, ...off, ...withoutRefundOf(order, before) }, nowUnix);
    return after === before ? [] : [{ before, after }];
  });
}

/** The refund of an order ends with it. That of another one may be pending. */
const withoutRefundOf = ({ orderId }: OrderRecord, { pendingRefund }: MemberRecord) =>
  pendingRefund?.orderId === orderId ? { pendingRefund: null } : {};

/** A member that was cancelled with the request of its refund is announced then. Only its seat may be freed by the refund. */
const isShownChange = ({ before, after }: MemberChange): boolean =>
  before === undefined || !isCancelledMember(before) || before.ownSeatMapId !== after.ownSeatMapId;

/** A member that returns to an earlier term gets its type from the sweeper. */
function followHint(
  { table, orgId, clock }: OrderDeps,
  orderId: number,
  changes: readonly MemberChange[],
): readonly TransactItem[] {
  if (changes.every(({ after }) => isCancelledMember(after))) return [];
  const hint = basketHint(orgId, { basketId: orderId }, unixSeconds(clock));
  return [{ Put: { TableName: table.name, Item: dueHintItem(hint) } }];
}

/** The order or a member has changed since it was read, or its customer. Both may have been erased, and the event must not contain them. */
class OutdatedContext extends Error {}

/** Reads what an event says of an order besides the order itself. */
export async function readOrderContext(
  { table, orgId }: Pick<OrderDeps, 'table' | 'orgId'>,
  order: OrderRecord | undefined,
): Promise<OrderContext> {
  const [fan, event] = await Promise.all([
    order?.userId ? readCustomer(table, orgId, order.userId, { consistent: true }) : undefined,
    order && readEvent(table, orgId, order.eventId),
  ]);
  return { fan, event };
}

function announcement(
  orgId: string,
  change: ChangedOrder,
  context: OrderContext,
  refund: RefundRecord | undefined | 'none',
): Announcement {
  const { after } = change;
  if (refund === 'none') return orderCancelled(orgId, after, change, context);
  const recorded = refund ?? after.order.refundsElsewhere.at(-1);
  if (recorded === undefined) throw new Fault(`The refund of the order ${after.order.orderId} is not recorded.`);
  return orderRefunded(orgId, after, { ...recorded, state: 'done' }, context);
}
