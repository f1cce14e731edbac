import { livePayments } from '../../shared/payments/live.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { Fault } from '../../shared/platform/fault.ts';
import { countOutcome } from '../../shared/platform/log.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = scheduleWorker(async () => {
  const table = workerTable();
  const { done, failed } = await sweepBaskets({ table, clock: systemClock, payments: livePayments(table) });
  if (done > 0) countOutcome('sweep-baskets', 'Swept', done);
  if (failed === 0) return;
  countOutcome('sweep-baskets', 'NotSwept', failed);
  // Raises the alarm on this function's errors. The other baskets are done, and these stay due.
  throw new Fault(`${failed} baskets could not be swept.`);
});
