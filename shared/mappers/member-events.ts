import type { MemberRecord } from '../data/members/row.ts';
import { memberResource } from './member.ts';

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
