import { boughtTogether, lastTermOf } from '../data/members/bought-together.ts';
import { rowPut, withFields } from '../data/members/change.ts';
import { readMember } from '../data/members/read.ts';
import type { MemberRecord } from '../data/members/row.ts';
import { readRenewal, renewalPut } from '../data/renewals/renewals.ts';
import { retryRaces } from '../data/table/retry.ts';
import { transact } from '../data/table/transact.ts';
import { renewsBy } from '../domain/members/cancellation.ts';
import { isCancelledMember } from '../domain/members/status.ts';
import { leftByOwner, newRenewal, type RenewalRecord } from '../domain/renewals/renewal.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { ChargeDeps } from './deps.ts';

/** A member, all who were bought together with it, and how they pay from now on. */
export interface OpenedRenewal {
  readonly outcome: 'opened';
  readonly renewal: RenewalRecord;
  readonly members: readonly MemberRecord[];
}

export interface MemberToChange {
  readonly memberId: number;
  /** Throws if the caller does not own the member any more. It is asked with the row that the change follows from. */
  readonly checkOwner?: ((member: MemberRecord) => void) | undefined;
}

export type NotOpened = { readonly outcome: 'cancelled' | 'missing' | 'no_customer' };

/**
 * The record of all who were bought together with a member; a new one if there is none. It follows the last purchase: a person
 * who was cancelled leaves it, and another owner of the membership begins with nothing saved and nothing agreed to. The members of
 * a record have one owner.
 */
export function openRenewal(
  { table, orgId, clock }: Pick<ChargeDeps, 'table' | 'orgId' | 'clock'>,
  { memberId, checkOwner }: MemberToChange,
): Promise<OpenedRenewal | NotOpened> {
  return retryRaces('members of this membership', async (): Promise<OpenedRenewal | NotOpened | undefined> => {
    const member = await readMember(table, orgId, memberId);
    if (member === undefined) return { outcome: 'missing' };
    checkOwner?.(member);
    if (isCancelledMember(member)) return { outcome: 'cancelled' };
    const { userId } = member;
    if (userId === null) return { outcome: 'no_customer' };
    return joinRenewal({ table, orgId }, member, { userId, nowUnix: unixSeconds(clock) });
  });
}

/** Undefined if another process has changed the record or a member since. */
async function joinRenewal(
  { table, orgId }: Pick<ChargeDeps, 'table' | 'orgId'>,
  member: MemberRecord,
  { userId, nowUnix }: { readonly userId: number; readonly nowUnix: number },
): Promise<OpenedRenewal | undefined> {
  const bought = await boughtTogether(table, orgId, member, { last: await lastTermOf(table, orgId, member) });
  const members = bought.filter((one) => one.userId === userId);
  const memberIds = members.map((one) => one.memberId).sort((one, other) => one - other);
  const found = await readRecord({ table, orgId }, members, { memberIds, userId });
  const { renewalId } = found;
  const isSameOwner = found.userId === userId;
  const isKnown = found.version > 0 && isSameOwner && String(found.memberIds) === String(memberIds);
  const known = isSameOwner ? found : { ...leftByOwner(found), userId };
  // What an import says of auto-renewal is not agreed to here.
  const joining = members.filter((one) => one.renewalId !== renewalId || one.autoRenew !== renewsBy(known, one));
  if (isKnown && joining.length === 0) return { outcome: 'opened', renewal: found, members };
  const { after, item } = renewalPut(table, orgId, found, { ...known, memberIds });
  const joined = joining.map((before) => {
    // Without another value that clients see, there is no time of a change.
    const seen = withFields(before, { autoRenew: renewsBy(known, before) }, nowUnix);
    return { before, after: { ...seen, renewalId, version: before.version + 1 } };
  });
  const refusals = await transact(table, [item, ...joined.map((change) => rowPut(table, orgId, change))]);
  if (refusals.length > 0) return undefined;
  const current = new Map(joined.map((change) => [change.after.memberId, change.after]));
  return { outcome: 'opened', renewal: after, members: members.map((one) => current.get(one.memberId) ?? one) };
}

/** The record that the members name, if it is this owner's. Otherwise the one with the id of the first of them: that id is no other owner's. */
async function readRecord(
  { table, orgId }: Pick<ChargeDeps, 'table' | 'orgId'>,
  members: readonly MemberRecord[],
  owned: { readonly memberIds: readonly number[]; readonly userId: number },
): Promise<RenewalRecord> {
  const ownId = Math.min(...owned.memberIds);
  const namedId = members.find((one) => one.renewalId !== null)?.renewalId ?? ownId;
  const named = await readRenewal(table, orgId, namedId);
  if (named !== undefined && (named.userId === owned.userId || namedId === ownId)) return named;
  return (await readRenewal(table, orgId, ownId)) ?? newRenewal(ownId, owned);
}
