import { readEndpointFromPath } from '../../../shared/http/handlers/from-path/endpoint-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { endpointResource } from '../../../shared/mappers/webhook-endpoint.ts';
import { retrieveWebhookEndpoint } from '../../../shared/operations/webhooks/retrieve-webhook-endpoint.ts';

export const handle: Handle<typeof retrieveWebhookEndpoint> = async ({ params }, { caller, table }) =>
  endpointResource(await readEndpointFromPath(table, caller.orgId, params.webhook_endpoint_id));

export const handler = pipeline(retrieveWebhookEndpoint, handle);
