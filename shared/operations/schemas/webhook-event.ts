import * as v from 'valibot';
import { type WebhookEventType, webhookEventTypes } from '../../domain/webhooks/event-types.ts';
import { Customer } from './customer.ts';
import { field, IsoTimestamp, Money, resource, UnixSeconds } from './fields.ts';
import { Member } from './member.ts';
import { Order } from './order.ts';
import { OrderTicket } from './order-ticket.ts';
import { Scan } from './scan.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

export const WebhookOrder = resource('WebhookOrder', 'An order of an event, with all that was bought in it.', {
  ...Order.entries,
  event_id: field(v.string(), 'The event that the tickets are for.'),
  total: field(Money, 'Tickets plus fees, in major units of the currency.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount of the order.'),
  tickets: field(v.array(OrderTicket), 'One for each person.'),
});
export type WebhookOrder = v.InferOutput<typeof WebhookOrder>;

const envelope = {
  id: field(v.string(), 'The same on every retry and in the header webhook-id: use it to drop repeats.'),
  timestamp: field(IsoTimestamp, 'When it happened, ISO 8601.'),
  org_id: field(v.string(), 'The organisation it happened to.'),
};

function webhookEvent<const Type extends WebhookEventType, const Data extends v.ObjectEntries>(
  type: Type,
  title: string,
  description: string,
  data: Data,
) {
  return resource(title, description, {
    id: envelope.id,
    type: field(v.literal(type), 'What happened.'),
    timestamp: envelope.timestamp,
    org_id: envelope.org_id,
    data: v.strictObject(data),
  });
}

/** Imported sales can be cancelled too, and not all of them name a buyer. */
const orderWithPossibleFan = {
  fan: field(v.nullable(Customer), 'The buyer; null for a sale to nobody in particular.'),
  order: WebhookOrder,
};

/** One schema for each type, because each is a webhook of its own in the OpenAPI document. */
export const webhookEvents = {
  'order.completed': webhookEvent('order.completed', 'OrderCompletedEvent', 'An order was paid for.', {
    fan: Customer,
    order: WebhookOrder,
  }),
  'order.cancelled': webhookEvent(
    'order.cancelled',
    'OrderCancelledEvent',
    'An order was cancelled, or some of its tickets: those that are named no longer admit. Its status stays confirmed while others do.',
    orderWithPossibleFan,
  ),
  'order.refunded': webhookEvent(
    'order.refunded',
    'OrderRefundedEvent',
    'An order was paid back, or some of its tickets: those that are named no longer admit. Its status stays confirmed while others do.',
    orderWithPossibleFan,
  ),
  'member.created': webhookEvent('member.created', 'MemberCreatedEvent', 'A member was created.', { member: Member }),
  'member.updated': webhookEvent('member.updated', 'MemberUpdatedEvent', 'Something about a member changed.', {
    member: Member,
    fulfilled_at: field(
      v.nullable(UnixSeconds),
      'When the member was first fulfilled, in Unix seconds; null until then.',
    ),
  }),
  'ticket.scanned': webhookEvent('ticket.scanned', 'TicketScannedEvent', 'A gate read a barcode, admitted or not.', {
    scan: Scan,
  }),
  'webhook_endpoint.failing': webhookEvent(
    'webhook_endpoint.failing',
    'WebhookEndpointFailingEvent',
    'An endpoint has not acknowledged anything for a while.',
    {
      webhook_endpoint: WebhookEndpoint,
      failing_since: field(UnixSeconds, 'When the failures began, in Unix seconds.'),
    },
  ),
  'webhook_endpoint.disabled': webhookEvent(
    'webhook_endpoint.disabled',
    'WebhookEndpointDisabledEvent',
    'An endpoint was disabled by the service; its disabled_reason says why.',
    { webhook_endpoint: WebhookEndpoint },
  ),
  'webhook.test': webhookEvent(
    'webhook.test',
    'WebhookTestEvent',
    'Sent on request, to the endpoint that asked alone.',
    {
      webhook_endpoint: WebhookEndpoint,
    },
  ),
} satisfies Record<WebhookEventType, v.GenericSchema>;

/** The body of a delivery, and the item of the event feed. */
export const WebhookEvent = v.pipe(
  v.variant('type', [
    webhookEvents['order.completed'],
    webhookEvents['order.cancelled'],
    webhookEvents['order.refunded'],
    webhookEvents['member.created'],
    webhookEvents['member.updated'],
    webhookEvents['ticket.scanned'],
    webhookEvents['webhook_endpoint.failing'],
    webhookEvents['webhook_endpoint.disabled'],
    webhookEvents['webhook.test'],
  ]),
  v.title('WebhookEvent'),
  v.description('Something that happened to the organisation: the body that is posted to its endpoints.'),
);
export type WebhookEvent = v.InferOutput<typeof WebhookEvent>;

/**
 * An event as it was stored, with the data of its day: a field that a resource has got since is not in them, and they are
 * handed out all the same. Only the exit knows this; what is promised, and what the tests hold events against, is WebhookEvent.
 */
export const StoredWebhookEvent = resource('StoredWebhookEvent', 'An event of the feed, as it was when it happened.', {
  id: envelope.id,
  type: field(v.picklist(webhookEventTypes), 'What happened.'),
  timestamp: envelope.timestamp,
  org_id: envelope.org_id,
  data: v.looseObject({}),
});
