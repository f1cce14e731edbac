import { createEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { maxEndpoints, normalizeUrl } from '../../../shared/domain/webhooks/endpoint.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { endpointResource } from '../../../shared/mappers/webhook-endpoint.ts';
import { createWebhookEndpoint } from '../../../shared/operations/webhooks/create-webhook-endpoint.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { allowsLoopbackReceivers } from '../../../shared/platform/env.ts';
import { forbiddenUrl } from '../../../shared/webhooks/address-guard.ts';
import { createSecret } from '../../../shared/webhooks/endpoint-secrets.ts';
import { newEndpointId } from '../../../shared/webhooks/ids.ts';

export const handle: Handle<typeof createWebhookEndpoint> = async ({ body }, { caller, table, clock, receipt }) => {
  const { orgId } = caller;
  const forbidden = forbiddenUrl(body.url, { allowLoopback: allowsLoopbackReceivers() });
  if (forbidden !== undefined) throw problem('parameter_invalid', `The parameter url ${forbidden}`, { param: 'url' });
  const endpointId = newEndpointId(clock.nowMs());
  const secret = await createSecret(orgId, endpointId);
  const endpoint = {
    endpointId,
    url: normalizeUrl(body.url),
    types: body.types,
    description: body.description,
    ratePerSecond: body.max_rate_per_second,
    status: 'enabled',
    disabledReason: null,
    createdUnix: unixSeconds(clock),
    updatedUnix: null,
    secret: secret.sealed,
    formerSecret: null,
    olderSecrets: [],
    formerUntilUnix: 0,
    version: 1,
  } as const;
  const resource = { ...endpointResource(endpoint), secret: secret.text };
  if ((await createEndpoint(table, orgId, endpoint, () => receipt(resource))) === 'too-many') {
    const advice = `An organisation can have at most ${maxEndpoints} webhook endpoints. Delete one first.`;
    throw problem('too_many_webhook_endpoints', advice);
  }
  return resource;
};

export const handler = pipeline(createWebhookEndpoint, handle);
