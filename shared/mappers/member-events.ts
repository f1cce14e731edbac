import type { MemberRecord } from '../data/members/row.ts';
import type { CancelTime } from '../domain/members/cancellation.ts';
import type { TermRecord } from '../domain/members/term.ts';
import { memberResource } from './member.ts';
import { memberTermResource } from './member-term.ts';

/** The event that announces a new member. */
export function memberCreated(member: MemberRecord) {
  return { type: 'member.created', data: { member: memberResource(member) } } as const;
}

/** The event that announces any change of a member: the whole member, and when its goods were first sent. */
export function memberUpdated(member: MemberRecord) {
  return {
    type: 'member.updated',
    data: { member: memberResource(member), fulfilled_at: member.fulfilledUnix },
  } as const;
}

/** The event that announces a cancellation: at once, or for the end of the last term. A member that was not bought here has no term. */
export function membershipCancelled(member: MemberRecord, last: TermRecord | undefined, when: CancelTime) {
  return {
    type: 'membership.cancelled',
    data: {
      member: memberResource(member),
      term: last === undefined ? null : memberTermResource(when === 'now' ? { ...last, state: 'cancelled' } : last),
      when,
      ends_at: cancellationEnd(member, when),
    },
  } as const;
}

/** When the access of a cancelled member ends; null if it never does. */
export function cancellationEnd(
  { cancelledUnix, expiresUnix }: Pick<MemberRecord, 'cancelledUnix' | 'expiresUnix'>,
  when: CancelTime,
): number | null {
  return when === 'now' ? cancelledUnix : expiresUnix;
}

/** The event that announces that the last term of a member has ended. */
export function membershipLapsed(member: MemberRecord, last: TermRecord | undefined) {
  const term = last === undefined ? null : memberTermResource(last);
  return { type: 'membership.lapsed', data: { member: memberResource(member), term } } as const;
}

/** The event that announces the next term of a member that exists. */
export function membershipRenewed(member: MemberRecord, term: TermRecord) {
  return {
    type: 'membership.renewed',
    data: { member: memberResource(member), term: memberTermResource(term) },
  } as const;
}
