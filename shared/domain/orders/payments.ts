import { sumOf } from '../money.ts';
import { outstandingMinor, type PlanRecord, unpaidMinor } from '../plans/plan.ts';
import type { OrderRecord } from './order.ts';

type Plan = Pick<PlanRecord, 'instalments'>;

/**
 * How much of what an order costs was paid, and how much is still owed. The first share of a plan is paid with the order; one that was
 * cancelled is neither paid nor owed. What was refunded was paid before.
 */
export function orderPayments(
  { status, totalMinor }: Pick<OrderRecord, 'status' | 'totalMinor'>,
  plans: readonly Plan[],
): { readonly paidMinor: number; readonly outstandingMinor: number } {
  if (status === 'pending') return { paidMinor: 0, outstandingMinor: totalMinor };
  return {
    paidMinor: totalMinor - sumOf(plans.map(unpaidMinor)),
    outstandingMinor: sumOf(plans.map(outstandingMinor)),
  };
}
