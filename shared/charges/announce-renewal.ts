import { basketHint } from '../data/baskets/baskets.ts';
import { memberWrites, withFields } from '../data/members/change.ts';
import { renewalPut } from '../data/renewals/renewals.ts';
import { dueHintItem } from '../data/table/due-hints.ts';
import { type TransactItem, transact } from '../data/table/transact.ts';
import { parseId } from '../domain/ids.ts';
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

/** Of a renewal that is charged after the end of the term: the members go on until then, and a hint finds them if they lapse after it. */
function goingOn(
  { table, orgId, clock }: ChargeDeps,
  { renewalId, round }: RenewalRecord,
  { members }: RenewalFacts,
): readonly TransactItem[] {
  if (round?.status !== 'announced' || round.dueUnix < round.expiresUnix) return [];
  const goesOnUntilUnix = round.dueUnix + chargedWithinSeconds;
  const nowUnix = unixSeconds(clock);
  const changes = members
    .filter((member) => member.renewalId === renewalId)
    .map((before) => ({ before, after: withFields(before, { goesOnUntilUnix }, nowUnix) }))
    .filter(({ before, after }) => after !== before);
  const orderIds = new Set(changes.flatMap(({ after }) => parseId(after.orderId ?? '') ?? []));
  const hints = [...orderIds].map((basketId) => dueHintItem(basketHint(orgId, { basketId }, goesOnUntilUnix)));
  return [...memberWrites(table, orgId, changes), ...hints.map((Item) => ({ Put: { TableName: table.name, Item } }))];
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
