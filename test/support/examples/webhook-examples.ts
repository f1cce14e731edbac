import type { EndpointRecord } from '../../../shared/data/webhooks/endpoint-row.ts';
import type { OrderRefund } from '../../../shared/operations/schemas/order-refund.ts';
import type { OrderWithTickets } from '../../../shared/operations/schemas/order-with-tickets.ts';
import type { WebhookDelivery } from '../../../shared/operations/schemas/webhook-delivery.ts';
import type { WebhookEndpoint } from '../../../shared/operations/schemas/webhook-endpoint.ts';
import type { WebhookEvent } from '../../../shared/operations/schemas/webhook-event.ts';
import { newSecret } from '../../../shared/webhooks/signature.ts';
import { checkoutOrderExample } from './basket-examples.ts';
import { bareMemberExample, memberExample } from './membership-examples.ts';
import { customerExample, eventExample, orderExample, scanExample } from './resource-examples.ts';

export const webhookEndpointExample: WebhookEndpoint = {
  webhook_endpoint_id: 'we_01K5M7Q4Z8',
  url: 'https://hooks.harbourfc.example.com/gateline',
  types: ['order.completed', 'ticket.scanned'],
  description: 'Fan data warehouse',
  max_rate_per_second: 20,
  status: 'disabled',
  disabled_reason: 'The endpoint returned 410 Gone.',
  created: 1_788_000_000,
  updated_at: 1_789_000_000,
};

export const webhookDeliveryExample: WebhookDelivery = {
  delivery_id: 'del_01K5M7V2C4',
  event_id: 'evt_01K5M7TZ0E',
  type: 'order.completed',
  status: 'waiting',
  attempts: [
    {
      at: 1_790_000_001,
      status_code: 500,
      duration_ms: 84,
      outcome: 'status_not_200',
      response: 'Internal Server Error',
    },
    { at: 1_790_000_006, status_code: null, duration_ms: 15_000, outcome: 'timeout', response: null },
  ],
  next_attempt_at: 1_790_000_066,
  created: 1_790_000_000,
};

const envelope = { id: 'evt_01K5M7TZ0E', timestamp: '2026-09-21T14:13:20.000Z', org_id: 'harbour-fc' };
const { currency, event_id, tickets, total } = checkoutOrderExample;
const orderWithTicketsExample: OrderWithTickets = {
  ...orderExample,
  event_id,
  event_title: eventExample.title,
  currency,
  total,
  refunded: 0,
  tickets,
};

const orderRefundExample: OrderRefund = {
  refund_id: '3712000000000064-1',
  order_id: orderExample.order_id,
  status: 'succeeded',
  amount: 64.3,
  currency: 'AUD',
  ticket_ids: tickets.map(({ ticket_id }) => ticket_id),
  reason: 'Match abandoned',
  created: 1_790_000_000,
};

export const webhookEventExamples: readonly WebhookEvent[] = [
  { ...envelope, type: 'order.completed', data: { fan: customerExample, order: orderWithTicketsExample } },
  {
    ...envelope,
    type: 'order.cancelled',
    data: {
      fan: null,
      order: { ...orderWithTicketsExample, user_id: null, order_status: 'cancelled' },
      cancelled_tickets: tickets,
      amount: 64.3,
    },
  },
  {
    ...envelope,
    type: 'order.refunded',
    data: {
      fan: customerExample,
      order: { ...orderWithTicketsExample, order_status: 'refunded' },
      refund: orderRefundExample,
    },
  },
  {
    ...envelope,
    type: 'order.refund_failed',
    data: {
      fan: customerExample,
      order: orderWithTicketsExample,
      refund: { ...orderRefundExample, status: 'failed' },
    },
  },
  {
    ...envelope,
    type: 'order.disputed',
    data: {
      ...{ fan: customerExample, order: orderWithTicketsExample },
      dispute: {
        ...{ dispute_id: 'dp_1', reason: 'fraudulent', status: 'needs_response' },
        ...{ amount: 64.3, currency: 'AUD', created: 1_789_996_400 },
      },
    },
  },
  { ...envelope, type: 'member.created', data: { member: bareMemberExample } },
  { ...envelope, type: 'member.updated', data: { member: memberExample, fulfilled_at: 1_760_000_000 } },
  {
    ...envelope,
    type: 'ticket.scanned',
    data: {
      event_id,
      scan: scanExample,
      direction: 'in',
      scanned_at: 1_790_000_000,
      timezone: 'Australia/Melbourne',
    },
  },
  {
    ...envelope,
    type: 'webhook_endpoint.failing',
    data: {
      webhook_endpoint: { ...webhookEndpointExample, status: 'enabled', disabled_reason: null },
      failing_since: 1_789_996_400,
    },
  },
  { ...envelope, type: 'webhook_endpoint.disabled', data: { webhook_endpoint: webhookEndpointExample } },
  { ...envelope, type: 'webhook.test', data: { webhook_endpoint: webhookEndpointExample } },
];

/** An endpoint record with an unencrypted secret. */
export function endpointExample(changes: Partial<EndpointRecord> = {}): EndpointRecord {
  return {
    endpointId: 'we_01JCNDB0000000000000000000',
    url: 'https://receiver.example.com/',
    types: ['*'],
    description: null,
    ratePerSecond: 50,
    status: 'enabled',
    disabledReason: null,
    createdUnix: 1_731_585_600,
    updatedUnix: null,
    secret: newSecret(),
    formerSecret: null,
    formerUntilUnix: 0,
    version: 1,
    ...changes,
  };
}
