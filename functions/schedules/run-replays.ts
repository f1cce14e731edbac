import { systemClock, timer } from '../../shared/platform/clock.ts';
import { startRound } from '../../shared/platform/round.ts';
import { sendRetries } from '../../shared/webhooks/delivery-messages.ts';
import { runReplays } from '../../shared/webhooks/replay.ts';
import { workerTable } from '../../shared/workers/platform.ts';

const workSeconds = 30;

export const handler = async (): Promise<void> => {
  const { attempt, end } = startRound();
  const hasTime = timer(workSeconds);
  await runReplays({ table: workerTable(), nowMs: systemClock.nowMs(), sendRetries, hasTime, attempt });
  end();
};
