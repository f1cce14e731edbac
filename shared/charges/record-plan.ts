import { journalItems } from '../data/journal/journal-items.ts';
import { memberWrites } from '../data/members/change.ts';
import { planHintPuts, planPut } from '../data/plans/plans.ts';
import { retryRaces } from '../data/table/retry.ts';
import { transact } from '../data/table/transact.ts';
import type { PaidInstalment } from '../domain/journal/money-moves.ts';
import type { Tender } from '../domain/orders/tender.ts';
import type { Instalment, PlanRecord } from '../domain/plans/plan.ts';
import { memberUpdated } from '../mappers/member-events.ts';
import { instalmentEvent } from '../mappers/payment-plan.ts';
import { outboxItems } from '../outbox/outbox.ts';
import { memberChanges, waitingRenewals } from '../sales/checkout/members-of-plan.ts';
import type { ChargeDeps } from './deps.ts';

interface Outcome {
  /** The number of the instalment whose status changes. */
  readonly number: number;
  /** How it was paid: by the card, or in another way. Undefined if it was not. */
  readonly received?: 'card' | Tender;
  /** Whether another process than the worker writes it, which does not move the hint. */
  readonly withHint?: boolean;
}

/**
 * Records what became of an instalment. One transaction writes the plan, the members of it that change, the entry of the journal
 * and the event. Undefined if another process has changed the plan since it was read: then it decides again.
 */
export async function recordOutcome(
  deps: ChargeDeps,
  before: PlanRecord,
  wanted: PlanRecord,
  { number, received, withHint = false }: Outcome,
): Promise<PlanRecord | undefined> {
  const { table, orgId, clock, requestId, receipt } = deps;
  const after = { ...wanted, version: before.version + 1 };
  const instalment = instalmentOf(after, number);
  const written = await retryRaces('members of this plan', async (): Promise<'written' | 'raced' | undefined> => {
    const changes = await memberChanges(deps, after);
    const nowMs = clock.nowMs();
    const cause = { nowMs, requestId: before.charge?.requestId ?? requestId };
    const refusals = await transact(
      table,
      [
        planPut(table, orgId, before, after),
        ...memberWrites(table, orgId, changes),
        ...journalItems(table, orgId, received && paidInstalment(after, instalment, received), nowMs),
        ...(withHint ? planHintPuts(table, orgId, after) : []),
        ...waitingRenewals(deps, after, changes),
      ],
      [
        ...outboxItems(table, orgId, instalmentEvent(after, instalment), cause),
        ...changes
          .filter(({ before: old, after: changed }) => old?.statusId !== changed.statusId)
          .flatMap(({ after: changed }) => outboxItems(table, orgId, memberUpdated(changed), cause)),
        ...((received && receipt?.(after)) ?? []),
      ],
    );
    if (refusals.length === 0) return 'written';
    return refusals.some(({ label }) => label === 'plan') ? 'raced' : undefined;
  });
  return written === 'written' ? after : undefined;
}

function paidInstalment(plan: PlanRecord, { amountMinor }: Instalment, received: 'card' | Tender): PaidInstalment {
  return { moved: 'instalment', plan, amountMinor, ...(received !== 'card' && { tender: received }) };
}

export function instalmentOf({ instalments }: PlanRecord, number: number): Instalment {
  const found = instalments.find((one) => one.number === number);
  if (found === undefined) throw new RangeError(`The plan has no instalment ${number}.`);
  return found;
}
