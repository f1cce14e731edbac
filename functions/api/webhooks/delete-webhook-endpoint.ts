import { deleteEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { deleteWebhookEndpoint } from '../../../shared/operations/webhooks/delete-webhook-endpoint.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof deleteWebhookEndpoint> = async ({ params }, { caller, table, clock }) => {
  const { webhook_endpoint_id } = params;
  const isDeleted = await deleteEndpoint(table, caller.orgId, webhook_endpoint_id, unixSeconds(clock));
  if (!isDeleted) throw notFound('webhook endpoint');
  return { webhook_endpoint_id, deleted: true };
};

export const handler = pipeline(deleteWebhookEndpoint, handle);
