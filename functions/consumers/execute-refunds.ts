import { executeRefunds } from '../../shared/checkout/sweep-basket.ts';
import { parseRefundRequest } from '../../shared/data/orders/refund-requests.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { reasonOf } from '../../shared/platform/failure-reason.ts';
import { log } from '../../shared/platform/log.ts';
import { streamWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** Executes the refunds of each order in the batch. What fails or stays pending is left to the sweeper. */
export const handler = streamWorker(async (records) => {
  const table = workerTable();
  for (const pk of new Set(records.map((record) => record.dynamodb?.Keys?.pk?.S ?? ''))) {
    const request = parseRefundRequest(pk);
    if (request === undefined) continue;
    const { orgId, orderId } = request;
    const deps = { table, orgId, clock: systemClock, payments: livePayments(table), requestId: undefined };
    try {
      await executeRefunds(deps, orderId);
    } catch (error) {
      log.error('A refund could not be executed', { org_id: orgId, order_id: orderId, ...reasonOf(error) });
    }
  }
  return [];
});
