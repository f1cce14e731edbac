import { listDeliveries } from '../../../shared/data/webhooks/deliveries.ts';
import { readEndpointFromPath } from '../../../shared/http/handlers/from-path/endpoint-from-path.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { deliveryResource } from '../../../shared/mappers/webhook-delivery.ts';
import { listWebhookDeliveries } from '../../../shared/operations/webhooks/list-webhook-deliveries.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listWebhookDeliveries> = async ({ params, query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const { endpointId } = await readEndpointFromPath(table, orgId, params.webhook_endpoint_id);
  const identity = { orgId, operation: listWebhookDeliveries.id, parameters: { endpointId } };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, query.cursor);
  const page = await listDeliveries(table, { orgId, endpointId }, { limit: query.limit, after });
  return {
    object: 'webhook_deliveries' as const,
    url: `${baseUrl}${listWebhookDeliveries.paths[0].replace('{webhook_endpoint_id}', endpointId)}`,
    has_more: page.next !== undefined,
    next_cursor: signListCursor(signedList, page.next),
    data: page.deliveries.map(deliveryResource),
  };
};

export const handler = pipeline(listWebhookDeliveries, handle);
