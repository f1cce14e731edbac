import { changeEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { changedEndpoint, isStateReset } from '../../../shared/domain/webhooks/endpoint.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { endpointChange, endpointResource } from '../../../shared/mappers/webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../../../shared/operations/webhooks/update-webhook-endpoint.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { allowsLoopbackReceivers } from '../../../shared/platform/env.ts';
import { forbiddenUrl } from '../../../shared/webhooks/address-guard.ts';
import { wakeBacklog } from '../../../shared/webhooks/delivery-messages.ts';

export const handle: Handle<typeof updateWebhookEndpoint> = async (
  { params, body },
  { caller, table, clock, requestId },
) => {
  const ref = { orgId: caller.orgId, endpointId: params.webhook_endpoint_id };
  const nowUnix = unixSeconds(clock);
  const forbidden =
    body.url === undefined ? undefined : forbiddenUrl(body.url, { allowLoopback: allowsLoopbackReceivers() });
  if (forbidden !== undefined) throw problem('parameter_invalid', `The parameter url ${forbidden}`, { param: 'url' });
  const change = endpointChange(body);
  const changed = await changeEndpoint(table, ref, {
    change: (current) => changedEndpoint(current, change, nowUnix),
    resetUnix: (after, before) => (isStateReset(change, { before, after }) ? nowUnix : undefined),
  });
  if (changed === undefined) throw notFound('webhook endpoint');
  if (isStateReset(change, changed)) await wakeBacklog({ ...ref, requestId });
  return endpointResource(changed.after);
};

export const handler = pipeline(updateWebhookEndpoint, handle);
