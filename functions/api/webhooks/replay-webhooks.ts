import { listHorizonMs } from '../../../shared/data/lists/sharded-list.ts';
import { startReplay } from '../../../shared/data/webhooks/replays.ts';
import { readEnabledEndpoint } from '../../../shared/http/handlers/from-path/endpoint-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { replayResource } from '../../../shared/mappers/webhook-delivery.ts';
import { replayWebhooks } from '../../../shared/operations/webhooks/replay-webhooks.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { newReplayId } from '../../../shared/webhooks/ids.ts';

export const handle: Handle<typeof replayWebhooks> = async (
  { params, body },
  { caller, table, clock, requestId, receipt },
) => {
  const { orgId } = caller;
  const { endpointId, types } = await readEnabledEndpoint(table, orgId, params.webhook_endpoint_id);
  const nowUnix = unixSeconds(clock);
  const { unix_start } = body;
  // Future events are delivered when they happen.
  const untilMs = Math.min(body.unix_end ?? Number.POSITIVE_INFINITY, nowUnix + 1) * 1000;
  const job = {
    replayId: newReplayId(clock.nowMs()),
    types: body.types ?? types,
    sinceMs: (unix_start + 1) * 1000,
    untilMs,
    createdUnix: nowUnix,
    requestId,
    // The replay starts when the feed is complete up to untilMs.
    hintUnix: Math.max(nowUnix, Math.ceil((untilMs + listHorizonMs) / 1000)),
  };
  if (job.untilMs <= job.sinceMs) throw nothingBetween();
  const resource = replayResource(endpointId, job);
  if (await startReplay(table, { orgId, endpointId }, job, () => receipt(resource))) return resource;
  throw problem('replay_in_progress', 'An earlier replay to this endpoint is still in progress. Try again later.');
};

function nothingBetween() {
  const message =
    'The range between unix_start and unix_end (default: now) contains no full second, so nothing would be sent.';
  return problem('parameter_conflict', message, { param: 'unix_start' });
}

export const handler = pipeline(replayWebhooks, handle);
