import { deleteEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { deleteWebhookEndpoint } from '../../../shared/operations/webhooks/delete-webhook-endpoint.ts';

export const handle: Handle<typeof deleteWebhookEndpoint> = async ({ params }, { caller, table }) => {
  const { webhook_endpoint_id } = params;
  if (!(await deleteEndpoint(table, caller.orgId, webhook_endpoint_id))) throw notFound('webhook endpoint');
  return { webhook_endpoint_id, deleted: true };
};

export const handler = pipeline(deleteWebhookEndpoint, handle);
