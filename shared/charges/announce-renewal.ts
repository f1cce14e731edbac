import { renewalPut } from '../data/renewals/renewals.ts';
import { transact } from '../data/table/transact.ts';
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

/** Records what became of a renewal, and tells it. Undefined if another process has changed the record. */
export async function recordAndTell(
  { table, orgId, clock, requestId }: ChargeDeps,
  before: RenewalRecord,
  wanted: RenewalRecord,
  facts: RenewalFacts,
): Promise<RenewalRecord | undefined> {
  const { after, item } = renewalPut(table, orgId, before, wanted);
  const cause = { nowMs: clock.nowMs(), requestId };
  const refusals = await transact(table, [item], outboxItems(table, orgId, membershipRenewalDue(after, facts), cause));
  return refusals.length === 0 ? after : undefined;
}
