import { reasonOf } from '../../platform/failure-reason.ts';
import { log } from '../../platform/log.ts';
import { WorkList } from '../../platform/work-list.ts';
import { executeRefunds } from '../checkout/sweep-basket.ts';
import type { CheckoutDeps } from '../deps.ts';

/** Few, because refunds and the checkouts of a sale share the rate that the provider allows. */
const concurrency = 5;

export interface RefundRequest {
  readonly orgId: string;
  readonly orderId: number;
}

/**
 * Executes the refunds of each order, several orders at once. What fails, stays pending or is not begun in time is left to the
 * sweeper, to which the hint of each order leads.
 */
export async function executeRequestedRefunds(
  deps: Omit<CheckoutDeps, 'orgId' | 'requestId'>,
  requests: readonly RefundRequest[],
  hasTime: () => boolean,
): Promise<void> {
  const orders = new WorkList<RefundRequest>(concurrency, hasTime, async ({ orgId, orderId }) => {
    try {
      await executeRefunds({ ...deps, orgId, requestId: undefined }, orderId, hasTime);
    } catch (error) {
      log.error('A refund could not be executed', { org_id: orgId, order_id: orderId, ...reasonOf(error) });
    }
  });
  for (const request of requests) orders.add(request);
  await orders.settled();
}
