import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { endpointChange } from '../../shared/mappers/webhook-endpoint.ts';
import { Order } from '../../shared/operations/schemas/order.ts';
import { OrderWithTickets } from '../../shared/operations/schemas/order-with-tickets.ts';
import { WebhookAttempt, WebhookDelivery } from '../../shared/operations/schemas/webhook-delivery.ts';
import { WebhookEndpoint, WebhookEndpointWithSecret } from '../../shared/operations/schemas/webhook-endpoint.ts';
import { WebhookEvent, webhookEvents } from '../../shared/operations/schemas/webhook-event.ts';
import { WebhookEventType } from '../../shared/operations/schemas/webhook-event-type.ts';
import * as webhook from '../../tools/fixtures/examples/webhook-examples.ts';
import {
  fieldsOf,
  isJsonSchema,
  type ResourceContract,
  testResourceContract,
  toJson,
  typesOf,
  without,
} from '../support/resource-contract.ts';

const contracts: Record<string, ResourceContract> = {
  WebhookEndpoint: {
    schema: WebhookEndpoint,
    example: webhook.webhookEndpointExample,
    fields: fieldsOf(`
      webhook_endpoint_id (string), url (string), types (array), description (string), max_rate_per_second (integer),
      status (string), disabled_reason (string), created (integer), updated_at (integer)`),
    neverNull: ['webhook_endpoint_id', 'url', 'types', 'status', 'created'],
    values: { status: ['enabled', 'disabled'] },
  },
  WebhookEndpointWithSecret: {
    schema: WebhookEndpointWithSecret,
    example: { ...webhook.webhookEndpointExample, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    fields: fieldsOf(`
      webhook_endpoint_id (string), url (string), types (array), description (string), max_rate_per_second (integer),
      status (string), disabled_reason (string), created (integer), updated_at (integer), secret (string)`),
    neverNull: ['webhook_endpoint_id', 'url', 'types', 'status', 'created'],
  },
  WebhookDelivery: {
    schema: WebhookDelivery,
    example: webhook.webhookDeliveryExample,
    fields: fieldsOf(`
      delivery_id (string), event_id (string), type (string), status (string), attempts (array),
      next_attempt_at (integer), created (integer)`),
    neverNull: ['delivery_id', 'event_id', 'type', 'status', 'attempts', 'created'],
    values: { status: ['queued', 'delivered', 'waiting', 'parked', 'dead'] },
  },
  WebhookAttempt: {
    schema: WebhookAttempt,
    example: webhook.webhookDeliveryExample.attempts[0] ?? {},
    fields: fieldsOf(`
      at (integer), status_code (integer), duration_ms (integer), outcome (string), response (string)`),
    neverNull: ['at', 'duration_ms', 'outcome'],
  },
};

describe.each(Object.entries(contracts))('%s', testResourceContract);

describe('WebhookEndpoint', () => {
  it.each([
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
    [' https://hooks.example.com/a b ', 'https://hooks.example.com/a%20b'],
    ['https://hooks.example.com\\@8.8.8.8/', 'https://hooks.example.com/@8.8.8.8/'],
  ])('WebhookEndpoint normalises %j to %j, the URL that events are sent to', (url, plain) => {
    expect(endpointChange({ url })).toEqual({ url: plain });
  });

  it('WebhookEndpoint refuses to show the secret of an existing endpoint', () => {
    expect(v.is(WebhookEndpoint, { ...webhook.webhookEndpointExample, secret: 'whsec_AAAA' })).toBe(false);
  });
});

describe('WebhookEvent', () => {
  const types = WebhookEventType.options;

  it('WebhookEvent has a schema and an example for every type', () => {
    expect(Object.keys(webhookEvents)).toEqual(types);
    expect(webhook.webhookEventExamples.map((event) => event.type)).toEqual(types);
  });

  it.each(webhook.webhookEventExamples)('WebhookEvent accepts $type in its own schema only', (event) => {
    expect(v.safeParse(WebhookEvent, event).issues).toBeUndefined();
    expect(types.filter((type) => v.is(webhookEvents[type], event))).toEqual([event.type]);
  });

  it.each(webhook.webhookEventExamples)(
    'WebhookEvent has exactly the body id, type, timestamp, org_id and data for $type',
    (event) => {
      const body = toJson(webhookEvents[event.type]);
      expect(Object.keys(body.properties ?? {})).toEqual(['id', 'type', 'timestamp', 'org_id', 'data']);
      expect(body.required).toEqual(['id', 'type', 'timestamp', 'org_id', 'data']);
      expect(v.is(WebhookEvent, { ...event, surprise: null })).toBe(false);
      expect(v.is(WebhookEvent, { ...event, data: { ...event.data, surprise: null } })).toBe(false);
      for (const field of Object.keys(event)) expect(v.is(WebhookEvent, without(event, field))).toBe(false);
    },
  );

  it('WebhookEvent order.completed contains the fan and the order with its tickets', () => {
    const completed = toJson(webhookEvents['order.completed']).properties?.data;
    expect(isJsonSchema(completed) && typesOf(completed)).toEqual({ fan: 'object', order: 'object' });
    expect(Object.keys(OrderWithTickets.entries)).toEqual([
      ...Object.keys(Order.entries),
      ...['event_id', 'event_title', 'code', 'tickets', 'memberships'],
    ]);
  });
});
