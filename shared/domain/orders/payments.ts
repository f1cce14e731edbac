import { sumOf } from '../money.ts';
import { outstandingMinor, type PlanRecord, unpaidMinor } from '../plans/plan.ts';
import type { OrderRecord } from './order.ts';
import { invoiceOutstandingMinor, receivedPayments } from './tender.ts';

type Plan = Pick<PlanRecord, 'instalments'>;

/**
 * How much of what an order costs was paid, and how much is still owed. The first share of a plan is paid with the order; one that was
 * cancelled is neither paid nor owed. What was refunded was paid before.
 */
export function orderPayments(
  order: Pick<
    OrderRecord,
    'status' | 'totalMinor' | 'tender' | 'payments' | 'placedUnix' | 'writtenOffMinor' | 'refundsElsewhere'
  >,
  plans: readonly Plan[],
): { readonly paidMinor: number; readonly outstandingMinor: number } {
  const { status, totalMinor, tender } = order;
  if (tender?.kind === 'invoice') {
    const paidMinor = sumOf(receivedPayments(order).map(({ amountMinor }) => amountMinor));
    return { paidMinor, outstandingMinor: invoiceOutstandingMinor(order) };
  }
  if (status === 'pending') return { paidMinor: 0, outstandingMinor: totalMinor };
  return {
    paidMinor: totalMinor - sumOf(plans.map(unpaidMinor)),
    outstandingMinor: sumOf(plans.map(outstandingMinor)),
  };
}
