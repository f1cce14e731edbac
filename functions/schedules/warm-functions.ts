import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { warmedFunctions } from '../../shared/platform/env.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { ReleaseEvent, warmFunctions, warmRelease } from '../../shared/workers/warm-functions.ts';

const client = new LambdaClient({ maxAttempts: 1 });

const keepWarm = scheduleWorker(async () => {
  const prefix = warmedFunctions();
  if (prefix !== 'none') await warmFunctions(client, prefix);
});

/** The schedule, or a release that is being deployed. */
export const handler = (event: unknown, context: Context): Promise<void> =>
  v.is(ReleaseEvent, event) ? warmRelease(client, event) : keepWarm(event, context);
