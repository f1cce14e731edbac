import * as v from 'valibot';
import { usualRatePerSecond } from '../../domain/webhooks/endpoint.ts';
import { everything } from '../../domain/webhooks/subscriptions.ts';
import { defineOperation } from '../operation.ts';
import { WebhookEndpointWithSecret } from '../schemas/webhook-endpoint.ts';
import { endpointFields } from './endpoint-fields.ts';

export const createWebhookEndpoint = defineOperation({
  id: 'create-webhook-endpoint',
  resource: 'webhooks',
  summary: 'Register a webhook endpoint',
  description: `From now on events are posted to it, signed as https://www.standardwebhooks.com describes. Only HTTP 200 acknowledges;
anything else is tried again for three days. The answer shows the secret of the signatures, this once. An organisation may
have 20 endpoints.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: {
    body: v.strictObject({
      url: endpointFields.url,
      types: v.optional(endpointFields.types, [everything]),
      description: v.optional(endpointFields.description, null),
      max_rate_per_second: v.optional(endpointFields.max_rate_per_second, usualRatePerSecond),
    }),
  },
  output: {
    status: 201,
    schema: WebhookEndpointWithSecret,
    shownOnce: ['secret'],
    problems: ['too_many_webhook_endpoints'],
  },
  effects: { access: { HOOK: ['PutItem', 'UpdateItem'] }, usesSecret: true },
});
