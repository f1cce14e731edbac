import { planPut, readPlan } from '../../data/plans/plans.ts';
import { retryRaces } from '../../data/table/retry.ts';
import { type TransactItem, transact } from '../../data/table/transact.ts';
import type { DisputedPayment } from '../../domain/baskets/disputes.ts';
import { isPaidBy, recordPlanDispute } from '../../domain/plans/dispute.ts';
import type { PlanRecord } from '../../domain/plans/plan.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { CheckoutDeps } from '../deps.ts';

/**
 * Records once what happened in the dispute of an instalment, which stops the later charges of its plan, and writes what belongs to
 * it in the same transaction. A charge that is in progress ends as it would without. The dispute of another charge changes nothing.
 */
export function changeDisputedPlan(
  { table, clock }: Pick<CheckoutDeps, 'table' | 'clock'>,
  { orgId, owner, chargeId, account }: DisputedPayment,
  what: string,
  itemsOf: (plan: PlanRecord) => Promise<(() => readonly TransactItem[]) | undefined>,
): Promise<'recorded' | 'unchanged'> {
  return retryRaces('payment plan', async () => {
    const before = await readPlan(table, orgId, owner.id);
    if (before === undefined || !isPaidBy(before, { chargeId, account })) return 'unchanged';
    const after = recordPlanDispute(before, what, unixSeconds(clock));
    if (after === before) return 'unchanged';
    const items = await itemsOf(before);
    const put = planPut(table, orgId, before, { ...after, version: before.version + 1 });
    const refusals = await transact(table, [put], items?.());
    return refusals.length === 0 ? 'recorded' : undefined;
  });
}
