import { memberWrites, withFields } from '../../data/members/change.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { retryRaces } from '../../data/table/retry.ts';
import { type TransactItem, transact } from '../../data/table/transact.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import {
  type CancelRefund,
  type CancelTime,
  cancelledForEnd,
  cancelledNow,
} from '../../domain/members/cancellation.ts';
import { activeTerms } from '../../domain/members/next-term.ts';
import { isCancelledMember } from '../../domain/members/status.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { withWholeLines } from '../../domain/orders/membership.ts';
import { isSold } from '../../domain/orders/order.ts';
import { membershipCancelled, memberUpdated } from '../../mappers/member-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { OrderDeps } from '../refunds/cancel-or-refund-tickets.ts';
import { type CancelledMembership, type CancelSideEffects, endMembership } from './end-membership.ts';
import { switchedOff } from './switched-off.ts';

export interface CancelCommand {
  readonly memberId: number;
  /** Throws if the caller does not own the member any more. It is asked with the row that is written. Only staff cancel at once. */
  readonly checkOwner?: ((member: MemberRecord) => void) | undefined;
  readonly when: CancelTime;
  readonly refund: CancelRefund;
}

/**
 * Cancels the membership of a member and of all who were bought with it, at once or for its end. For the end only the renewal
 * is switched off, and the members lapse with their last term. A member that was not bought here is cancelled alone.
 */
export function cancelMembership(
  deps: OrderDeps,
  { memberId, checkOwner = () => undefined, when, refund }: CancelCommand,
  sideEffects: CancelSideEffects,
): Promise<CancelledMembership> {
  const { table, orgId, clock } = deps;
  return retryRaces('membership', async (): Promise<CancelledMembership | undefined> => {
    // The member first: whoever adds a term changes it too, and then this change is refused.
    const member = await readMember(table, orgId, memberId);
    if (member === undefined) return { outcome: 'missing' };
    checkOwner(member);
    if (isCancelledMember(member)) return { outcome: 'already_cancelled' };
    const active = activeTerms(await termsOfMember(table, orgId, memberId));
    const last = active.at(-1);
    const placed = last && (await readOrderWithTickets(table, orgId, last.orderId));
    const line = withWholeLines(placed?.memberships ?? [], [memberId]).filter(isSold);
    if (when === 'now' && last !== undefined && placed !== undefined && line.length > 0) {
      return endMembership(deps, { active, last, placed, line }, refund, sideEffects);
    }
    if (refund !== 'none') return { outcome: 'not_bought_here' };
    const others = line.filter((one) => one.memberId !== memberId);
    const found = await Promise.all(others.map((one) => readMember(table, orgId, one.memberId)));
    const nowUnix = unixSeconds(clock);
    const cancelled = when === 'now' ? cancelledNow : cancelledForEnd;
    const changes = [member, ...found.filter((one) => one !== undefined)]
      .filter((one) => !isCancelledMember(one))
      .map((before) => ({ before, after: withFields(before, cancelled(before, nowUnix), nowUnix) }));
    const renewal = await switchedOff(
      deps,
      changes.map(({ before }) => before),
    );
    if (renewal === 'in_progress') return { outcome: 'charge_in_progress' };
    return writeMembers(deps, { changes, last, when, renewal }, sideEffects);
  });
}

interface CancelledMembers {
  readonly changes: readonly { readonly before: MemberRecord; readonly after: MemberRecord }[];
  readonly last: TermRecord | undefined;
  readonly when: CancelTime;
  /** The write that ends their auto-renewal. */
  readonly renewal: readonly TransactItem[];
}

/** A repeated cancellation changes nothing and announces nothing. Undefined if a member has changed since it was read. */
async function writeMembers(
  { table, orgId, clock, requestId }: OrderDeps,
  { changes, last, when, renewal }: CancelledMembers,
  sideEffects: CancelSideEffects,
): Promise<CancelledMembership | undefined> {
  const cancelled = { members: changes.map(({ after }) => after), refund: undefined };
  const changed = changes.filter(({ before, after }) => after !== before);
  if (changed.length === 0) return { outcome: 'cancelled', ...cancelled };
  const events = changed.flatMap(({ after }) => [memberUpdated(after), membershipCancelled(after, last, when)]);
  const refusals = await transact(
    table,
    [...memberWrites(table, orgId, changed), ...renewal],
    [
      ...events.flatMap((event) => outboxItems(table, orgId, event, { nowMs: clock.nowMs(), requestId })),
      ...sideEffects(cancelled),
    ],
  );
  return refusals.length === 0 ? { outcome: 'cancelled', ...cancelled } : undefined;
}
