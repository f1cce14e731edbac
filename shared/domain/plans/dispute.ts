import type { ChargeReference } from '../baskets/basket.ts';
import type { PlanRecord } from './plan.ts';

/** Stops the later charges of a plan because of a dispute. The same plan if that is recorded already. */
export function recordPlanDispute(plan: PlanRecord, what: string, nowUnix: number): PlanRecord {
  const { sinceUnix = nowUnix, recorded = [] } = plan.dispute ?? {};
  return recorded.includes(what) ? plan : { ...plan, dispute: { sinceUnix, recorded: [...recorded, what] } };
}

/** Whether one of its instalments was paid by this charge. */
export function isPaidBy(
  { instalments }: PlanRecord,
  { chargeId, account }: Omit<ChargeReference, 'provider'>,
): boolean {
  return instalments.some(({ charge }) => charge?.chargeId === chargeId && charge.account === account);
}
