import { type EndpointRecord, withNewSecret } from '../../../shared/data/webhooks/endpoint-row.ts';
import { changeEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { endpointResource } from '../../../shared/mappers/webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../../shared/operations/webhooks/rotate-webhook-secret.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { createSecret } from '../../../shared/webhooks/endpoint-secrets.ts';

export const handle: Handle<typeof rotateWebhookSecret> = async ({ params }, { caller, table, clock, receipt }) => {
  const { orgId } = caller;
  const endpointId = params.webhook_endpoint_id;
  const secret = await createSecret(orgId, endpointId);
  const nowUnix = unixSeconds(clock);
  const toResource = (endpoint: EndpointRecord) => ({ ...endpointResource(endpoint), secret: secret.text });
  const rotated = await changeEndpoint(
    table,
    { orgId, endpointId },
    {
      change: (current) => withNewSecret(current, secret.sealed, nowUnix),
      sideEffects: (endpoint) => receipt(toResource(endpoint)),
    },
  );
  if (rotated === undefined) throw notFound('webhook endpoint');
  return toResource(rotated.after);
};

export const handler = pipeline(rotateWebhookSecret, handle);
