import { memberWrites, withFields } from '../data/members/change.ts';
import type { MemberRecord } from '../data/members/row.ts';
import { readPlan } from '../data/plans/plans.ts';
import { renewalHintPut, renewalPut } from '../data/renewals/renewals.ts';
import { retryRaces } from '../data/table/retry.ts';
import { transact } from '../data/table/transact.ts';
import type { PlanRecord } from '../domain/plans/plan.ts';
import { methodForRenewal, type RenewalRecord, switchRenewal } from '../domain/renewals/renewal.ts';
import { memberUpdated } from '../mappers/member-events.ts';
import { outboxItems } from '../outbox/outbox.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { ChargeDeps } from './deps.ts';
import { type MemberToChange, type NotOpened, type OpenedRenewal, openRenewal } from './open-renewal.ts';
import { readRenewalFacts } from './renewal-facts.ts';

export interface AutoRenewCommand extends MemberToChange {
  /** What the member agreed to; null switches auto-renewal off. */
  readonly consentText: string | null;
}

export type AutoRenewResult =
  | { readonly outcome: 'set'; readonly renewal: RenewalRecord; readonly members: readonly MemberRecord[] }
  | NotSwitched;

/** Why auto-renewal is as it was. `endless` and `expired`: there is no term to renew. `not_renewable`: nothing can follow. */
export type NotSwitched =
  | NotOpened
  | {
      readonly outcome: 'in_progress' | 'endless' | 'expired' | 'not_renewable' | 'method_missing';
    };

/**
 * Switches the auto-renewal of a membership on or off, for all who were bought together. One transaction writes the record with the
 * consent, the members, their events, and the hint that makes the worker announce the renewal. It is not switched off while the
 * renewal is being charged.
 */
export function setAutoRenew(
  deps: Omit<ChargeDeps, 'payments'>,
  { consentText, ...wanted }: AutoRenewCommand,
): Promise<AutoRenewResult> {
  const { table, orgId, clock, requestId } = deps;
  const isOn = consentText !== null;
  return retryRaces('members of this membership', async (): Promise<AutoRenewResult | undefined> => {
    const opened = await openRenewal(deps, wanted);
    if (opened.outcome !== 'opened') return opened;
    const { renewal, members } = opened;
    const nowUnix = unixSeconds(clock);
    const [member] = members;
    const plan = await planOf(deps, member);
    const refusal = renewal.attempt === null ? isOn && (await refusalOf(deps, opened, plan)) : 'in_progress';
    if (refusal) return { outcome: refusal };
    const consent = { text: consentText ?? '', givenUnix: nowUnix, requestId: requestId ?? null };
    const optionId = optionOf(renewal, plan, member);
    const { after, item } = renewalPut(table, orgId, renewal, switchRenewal(renewal, isOn, { consent, optionId }));
    // A member who had cancelled for the end stays after all.
    const fields = isOn ? { autoRenew: true, cancelledUnix: null } : { autoRenew: false };
    const changes = members
      .map((before) => ({ before, after: withFields(before, fields, nowUnix) }))
      .filter(({ before, after: changed }) => changed !== before);
    const refusals = await transact(
      table,
      [
        item,
        ...memberWrites(table, orgId, changes),
        ...(isOn ? [renewalHintPut(table, orgId, renewal.renewalId, nowUnix)] : []),
      ],
      changes.flatMap((change) =>
        outboxItems(table, orgId, memberUpdated(change.after), { nowMs: clock.nowMs(), requestId }),
      ),
    );
    return refusals.length === 0 ? { outcome: 'set', renewal: after, members } : undefined;
  });
}

async function planOf({ table, orgId }: Pick<ChargeDeps, 'table' | 'orgId'>, member: MemberRecord | undefined) {
  const planId = member?.planId ?? null;
  return planId === null ? undefined : readPlan(table, orgId, planId);
}

/** The next term is paid as this one was, if the same person paid it. */
function optionOf(
  { userId }: RenewalRecord,
  plan: PlanRecord | undefined,
  member: MemberRecord | undefined,
): string | null {
  if (plan?.userId !== userId) return null;
  return String(plan.orderId) === member?.orderId ? plan.optionId : null;
}

/** Why the membership cannot renew itself. A type that is not on sale yet may be when the term ends. */
async function refusalOf(
  deps: Omit<ChargeDeps, 'payments'>,
  { renewal, members }: OpenedRenewal,
  plan: PlanRecord | undefined,
): Promise<'endless' | 'expired' | 'not_renewable' | 'method_missing' | undefined> {
  const facts = await readRenewalFacts(deps, renewal, members);
  if (facts === undefined) return 'endless';
  if (facts.term.expiresUnix <= unixSeconds(deps.clock)) return 'expired';
  if (facts.offered.outcome !== 'offered') return 'not_renewable';
  return methodForRenewal(renewal, plan) === null ? 'method_missing' : undefined;
}
