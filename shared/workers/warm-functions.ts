import { InvokeCommand, LambdaClient, paginateListFunctions, TooManyRequestsException } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { warmedFunctions } from '../platform/env.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { Fault } from '../platform/fault.ts';
import { log } from '../platform/log.ts';
import { warmCall } from '../platform/warm-call.ts';
import { scheduleWorker } from './batches.ts';
import { workers } from './registry.ts';

/** Workers of queues, streams and schedules: nobody waits for them, and their handlers expect another event. */
const unanswered = new Set(workers.filter(({ source }) => source.kind !== 'route').map(({ id }) => id));

/** How many functions are invoked at once. A cold one takes half a second. */
const atOnce = 20;

/** Keeps one instance of every function that answers requests: a small club would start most of them anew for each request. */
export async function warmFunctions(client: LambdaClient, prefix: string): Promise<void> {
  const names: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    for (const { FunctionName = '', Description = '' } of Functions) {
      const id = Description.split(':')[0] ?? '';
      if (FunctionName.startsWith(prefix) && !unanswered.has(id)) names.push(FunctionName);
    }
  }
  const failed = await warm(
    client,
    names.map((name) => ({ FunctionName: name, Qualifier: 'live' })),
  );
  if (failed > 0) throw new Fault(`${failed} functions could not be kept warm.`);
}

interface Target {
  readonly FunctionName: string;
  readonly Qualifier?: string;
}

/** Invokes the functions. Returns how many failed; one that is refused is busy, and so it is warm. */
async function warm(client: LambdaClient, targets: readonly Target[]): Promise<number> {
  let failed = 0;
  const invoke = async (target: Target): Promise<void> => {
    try {
      const { FunctionError } = await client.send(
        new InvokeCommand({ ...target, Payload: Buffer.from(JSON.stringify(warmCall)) }),
      );
      if (FunctionError !== undefined) throw new Fault(`The function failed: ${FunctionError}.`);
    } catch (error) {
      if (error instanceof TooManyRequestsException) return;
      failed += 1;
      log.error('A function could not be kept warm', { function: target.FunctionName, ...reasonOf(error) });
    }
  };
  for (let first = 0; first < targets.length; first += atOnce) {
    await Promise.all(targets.slice(first, first + atOnce).map(invoke));
  }
  log.info('functions warmed', { functions: targets.length, failed });
  return failed;
}

/** What CloudFormation sends for the resource of a release, which the aliases of a stack wait for (lib/constructs/warmed-release.ts). */
const ReleaseEvent = v.object({
  RequestType: v.picklist(['Create', 'Update', 'Delete']),
  ResponseURL: v.string(),
  StackId: v.string(),
  RequestId: v.string(),
  LogicalResourceId: v.string(),
  ResourceProperties: v.looseObject({ Versions: v.array(v.string()) }),
});

/**
 * Warms the new versions of a release before their aliases lead to them. CloudFormation always gets a success: a function that could
 * not be warmed starts with its first request, as without this, and must not stop a release.
 */
export async function warmRelease(client: LambdaClient, event: v.InferOutput<typeof ReleaseEvent>): Promise<void> {
  const { RequestType, ResponseURL, StackId, RequestId, LogicalResourceId, ResourceProperties } = event;
  if (RequestType !== 'Delete')
    await warm(
      client,
      ResourceProperties.Versions.map((arn) => ({ FunctionName: arn })),
    );
  const body = { Status: 'SUCCESS', PhysicalResourceId: LogicalResourceId, StackId, RequestId, LogicalResourceId };
  await fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(body) });
}

/** Handles a run of the schedule, or a release that is being deployed. */
export function warmWorker() {
  const client = new LambdaClient({ maxAttempts: 1 });
  const keepWarm = scheduleWorker(async () => {
    const prefix = warmedFunctions();
    if (prefix !== 'none') await warmFunctions(client, prefix);
  });
  return (event: unknown, context: Context): Promise<void> =>
    v.is(ReleaseEvent, event) ? warmRelease(client, event) : keepWarm(event, context);
}
