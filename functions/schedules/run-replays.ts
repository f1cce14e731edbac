import { systemClock, timer } from '../../shared/platform/clock.ts';
import { sendRetries } from '../../shared/webhooks/delivery-messages.ts';
import { runReplays } from '../../shared/webhooks/replay.ts';
import { workerTable } from '../../shared/workers/platform.ts';

const workSeconds = 30;

export const handler = (): Promise<void> =>
  runReplays({ table: workerTable(), nowMs: systemClock.nowMs(), sendRetries, hasTime: timer(workSeconds) });
