import { systemClock } from '../../shared/platform/clock.ts';
import { issueAllReceipts } from '../../shared/sales/receipts/issue-all-receipts.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = scheduleWorker(() => issueAllReceipts({ table: workerTable(), clock: systemClock }));
