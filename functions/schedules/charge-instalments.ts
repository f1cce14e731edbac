import { chargeDue } from '../../shared/charges/charge-due.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = scheduleWorker(async () => {
  const table = workerTable();
  await chargeDue({ table, clock: systemClock, payments: livePayments(table) });
});
