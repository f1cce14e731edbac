import * as v from 'valibot';
import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defaultRatePerSecond } from '../../domain/webhooks/endpoint.ts';
import { allEvents } from '../../domain/webhooks/subscriptions.ts';
import { defineOperation } from '../operation.ts';
import { WebhookEndpointWithSecret } from '../schemas/webhook-endpoint.ts';
import { endpointFields } from './endpoint-fields.ts';

export const createWebhookEndpoint = defineOperation({
  id: 'create-webhook-endpoint',
  resource: 'webhooks',
  summary: 'Create a webhook endpoint',
  description: `Registers an endpoint. From now on the service sends events to it as POST requests, signed according to
https://www.standardwebhooks.com. Only HTTP 200 acknowledges an event; after any other response the service retries for three
days. This response is the only one that contains the signing secret. An organisation can have 20 endpoints.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: {
    body: v.strictObject({
      url: endpointFields.url,
      types: v.optional(endpointFields.types, [allEvents]),
      description: v.optional(endpointFields.description, null),
      max_rate_per_second: v.optional(endpointFields.max_rate_per_second, defaultRatePerSecond),
    }),
  },
  output: {
    status: 201,
    schema: WebhookEndpointWithSecret,
    shownOnce: ['secret'],
    problems: ['too_many_webhook_endpoints'],
  },
  effects: { access: [webhookRowsAccess.createEndpoint], secrets: ['webhooks'], cannotBeUndone: false },
});
