import type { PlanCharge, PlanRecord } from './plan.ts';

/** Whether a member began the charge. The worker names no method, and waits for nobody. */
export const isOnSession = ({ paymentMethod, waitUntilUnix }: PlanCharge): boolean =>
  paymentMethod !== null || waitUntilUnix !== null;

/** Remembers a paid instalment for the member who asked for it and got no answer. Whoever named it asks for the same again. */
export function leaveUnreported(plan: PlanRecord, charge: PlanCharge): PlanRecord {
  return isOnSession(charge) && charge.named !== true ? { ...plan, unreported: charge.number } : plan;
}

/** As long as the response of a request with an Idempotency-Key is kept. */
const reportedWithinSeconds = 86_400;

/** Whether the next request that names no instalment is the repetition of one whose answer nobody got: it pays nothing. */
export function isToReport({ instalments, unreported }: PlanRecord, nowUnix: number): boolean {
  const found = instalments.find(({ number }) => number === unreported);
  return found?.status === 'paid' && nowUnix < (found.paidUnix ?? 0) + reportedWithinSeconds;
}

/** The member has got the answer. */
export function reportPaid({ unreported: _reported, ...plan }: PlanRecord): PlanRecord {
  return plan;
}
