import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { streamWorker } from '../../shared/workers/batches.ts';
import { followStock } from '../../shared/workers/follow-stock.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = streamWorker((records) => followStock(workerTable(), records, unixSeconds(systemClock)));
