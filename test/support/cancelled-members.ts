import { handle } from '../../functions/api/members/cancel-member.ts';
import { readMember } from '../../shared/data/members/read.ts';
import { cancelMember } from '../../shared/operations/members/cancel-member.ts';
import type { TestCheckoutDeps } from './baskets.ts';
import { callHandler, type HandlerCall } from './call-handler.ts';
import { eventsOf } from './faults/refund-crash-scenario.ts';
import { person } from './memberships.ts';

/** Calls cancel-member, with an API key if `call` names no other caller. */
export const cancel = (deps: TestCheckoutDeps, memberId: number, body: object, call: Partial<HandlerCall> = {}) =>
  callHandler(
    cancelMember,
    handle,
    { params: { membership_member_id: String(memberId) }, body: { ...body } },
    { table: deps.table, orgId: deps.orgId, nowMs: deps.nowUnix * 1000, ...call },
  );

/** The four persons of a family membership. */
export const family = ['Ada', 'Byron', 'Ralph', 'Anne'].map((name) => person(name));

export const statuses = async ({ table, orgId }: TestCheckoutDeps, memberIds: readonly number[]) =>
  Promise.all(memberIds.map(async (memberId) => (await readMember(table, orgId, memberId))?.statusId));

export const cancelledEvents = async (deps: TestCheckoutDeps) =>
  (await eventsOf(deps)).filter(({ type }) => type === 'membership.cancelled');
