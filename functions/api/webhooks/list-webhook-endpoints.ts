import { listEndpoints } from '../../../shared/data/webhooks/endpoints.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { endpointResource } from '../../../shared/mappers/webhook-endpoint.ts';
import { listWebhookEndpoints } from '../../../shared/operations/webhooks/list-webhook-endpoints.ts';

export const handle: Handle<typeof listWebhookEndpoints> = async (_input, { caller, table, baseUrl }) => ({
  object: 'webhook_endpoints',
  url: `${baseUrl}${listWebhookEndpoints.paths[0]}`,
  has_more: false,
  data: (await listEndpoints(table, caller.orgId)).map(endpointResource),
});

export const handler = pipeline(listWebhookEndpoints, handle);
