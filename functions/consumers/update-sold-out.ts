import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { streamWorker } from '../../shared/workers/batches.ts';
import { updateSoldOutOfRecords } from '../../shared/workers/update-sold-out.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = streamWorker((records) =>
  updateSoldOutOfRecords(workerTable(), records, unixSeconds(systemClock)),
);
