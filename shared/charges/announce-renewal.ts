import { basketHint } from '../data/baskets/baskets.ts';
import { memberWrites, withFields } from '../data/members/change.ts';
import type { MemberRecord } from '../data/members/row.ts';
import { renewalPut } from '../data/renewals/renewals.ts';
import { dueHintItem } from '../data/table/due-hints.ts';
import { type TransactItem, transact } from '../data/table/transact.ts';
import { parseId } from '../domain/ids.ts';
import { goesOnWhileDue } from '../domain/renewals/goes-on.ts';
import { announceRenewal, dropAttempt, type RenewalRecord } from '../domain/renewals/renewal.ts';
import { membershipRenewalDue } from '../mappers/membership-renewal.ts';
import { outboxItems } from '../outbox/outbox.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { ChargeDeps } from './deps.ts';
import type { RenewalFacts } from './renewal-facts.ts';

/** Announces the next renewal, or that there is none. Undefined if another process has changed the record. */
export function announce(
  deps: ChargeDeps,
  before: RenewalRecord,
  facts: RenewalFacts,
): Promise<RenewalRecord | undefined> {
  const announced = announceRenewal(dropAttempt(before), facts.term, facts.quote, unixSeconds(deps.clock));
  return recordAndTell(deps, before, announced, facts);
}

/** The worker comes within minutes. */
const chargedWithinSeconds = 3_600;

/** Of a renewal that is charged after the end of the term: the members go on until then. */
function goingOn(deps: ChargeDeps, renewal: RenewalRecord, { members }: RenewalFacts): readonly TransactItem[] {
  const { round } = renewal;
  if (round?.status !== 'announced' || round.dueUnix < round.expiresUnix) return [];
  return goOnUntil(deps, renewal, members, round.dueUnix + chargedWithinSeconds);
}

/** The members of a renewal go on until a time, and a hint finds them if they lapse after it. */
function goOnUntil(
  { table, orgId, clock }: ChargeDeps,
  { renewalId }: RenewalRecord,
  members: readonly MemberRecord[],
  goesOnUntilUnix: number,
): readonly TransactItem[] {
  const nowUnix = unixSeconds(clock);
  const changes = members
    .filter((member) => member.renewalId === renewalId)
    .map((before) => ({ before, after: withFields(before, { goesOnUntilUnix }, nowUnix) }))
    .filter(({ before, after }) => after !== before);
  const orderIds = new Set(changes.flatMap(({ after }) => parseId(after.orderId ?? '') ?? []));
  const hints = [...orderIds].map((basketId) => dueHintItem(basketHint(orgId, { basketId }, goesOnUntilUnix)));
  return [...memberWrites(table, orgId, changes), ...hints.map((Item) => ({ Put: { TableName: table.name, Item } }))];
}

/**
 * Lets the members go on whose renewal is due and cannot be charged by a fault that is not theirs. It is written on the record and the
 * members as they were read. Whether something was written.
 */
export async function goOnWhileDue(
  deps: ChargeDeps,
  renewal: RenewalRecord,
  members: readonly MemberRecord[],
): Promise<boolean> {
  const { table, orgId, clock } = deps;
  const [untilUnix] = members.flatMap((member) => goesOnWhileDue(renewal, member, unixSeconds(clock)) ?? []);
  if (untilUnix === undefined) return false;
  const items = goOnUntil(deps, renewal, members, untilUnix);
  if (items.length === 0) return false;
  const { item } = renewalPut(table, orgId, renewal, renewal);
  return (await transact(table, [item, ...items])).length === 0;
}

/** Records what became of a renewal, and tells it. Undefined if another process has changed the record. */
export async function recordAndTell(
  deps: ChargeDeps,
  before: RenewalRecord,
  wanted: RenewalRecord,
  facts: RenewalFacts,
): Promise<RenewalRecord | undefined> {
  const { table, orgId, clock, requestId } = deps;
  const { after, item } = renewalPut(table, orgId, before, wanted);
  const cause = { nowMs: clock.nowMs(), requestId };
  const refusals = await transact(
    table,
    [item, ...goingOn(deps, after, facts)],
    outboxItems(table, orgId, membershipRenewalDue(after, facts), cause),
  );
  return refusals.length === 0 ? after : undefined;
}
