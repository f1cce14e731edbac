import * as v from 'valibot';
import { inlineSchema, type Json, type TitledSchemas } from './components.ts';
import { exampleOf, recordedEvent } from './examples.ts';

const text = { type: 'string' };
const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

/** The headers of every webhook. */
export const webhookParameters: Readonly<Record<string, Json>> = {
  WebhookId: header('webhook-id', 'The id of the event, the same on every attempt. Use it to discard duplicates.'),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was signed, in Unix seconds.'),
  WebhookSignature: header(
    'webhook-signature',
    'One or more signatures such as `v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`, separated by spaces. One of them must be valid.',
  ),
};

/** What a receiver answers. */
export const webhookResponses: Readonly<Record<string, Json>> = {
  WebhookAcknowledged: {
    description: 'Acknowledges the event. After any other response the service sends the event again.',
  },
  WebhookEndpointGone: {
    description: 'Reports that the endpoint no longer exists. The service disables it immediately.',
  },
};

/** The tag of the requests that the service sends. The operations on endpoints have the tag webhooks. */
export const webhookTag = {
  name: 'webhook-events',
  description: 'The requests that the service sends to webhook endpoints, one for each type of event.',
};

/** One OpenAPI webhook per event type, each with its own schema. */
export function webhooksOf(events: Readonly<Record<string, v.GenericSchema>>, titled: TitledSchemas): Json {
  return Object.fromEntries(
    Object.entries(events).map(([type, schema]) => [type, { post: describe(type, schema, titled) }]),
  );
}

function describe(type: string, schema: v.GenericSchema, titled: TitledSchemas): Json {
  const description = v.getDescription(schema) ?? type;
  const [summary] = description.split('.');
  return {
    operationId: type,
    summary,
    description: `${description} Signed according to https://www.standardwebhooks.com.`,
    tags: [webhookTag.name],
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: inlineSchema(schema, titled), ...exampleOf(recordedEvent(type)) },
      },
    },
    responses: {
      '200': { $ref: '#/components/responses/WebhookAcknowledged' },
      '410': { $ref: '#/components/responses/WebhookEndpointGone' },
    },
  };
}
