import * as v from 'valibot';
import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { StoredWebhookDelivery, WebhookDelivery } from '../schemas/webhook-delivery.ts';
import { endpointParams } from './endpoint-params.ts';

export const listWebhookDeliveries = defineOperation({
  id: 'list-webhook-deliveries',
  resource: 'webhooks',
  summary: 'List the deliveries of a webhook endpoint',
  description:
    'Returns the deliveries to the endpoint of the last 30 days, sent and pending, with all their attempts, newest event first.',
  method: 'GET',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    params: endpointParams,
    query: v.strictObject({
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
          'The maximum number of deliveries per page.',
        ),
        20,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: {
    schema: cursorListOf('webhook_deliveries', WebhookDelivery),
    storedSchema: cursorListOf('webhook_deliveries', StoredWebhookDelivery),
    problems: ['cursor_invalid'],
  },
  effects: { access: [webhookRowsAccess.readEndpoint, webhookRowsAccess.listDeliveries], secrets: ['cursors'] },
});
