import * as v from 'valibot';
import type { WebhookEventType } from '../../domain/webhooks/event-types.ts';
import { Customer } from './customer.ts';
import { customerWebhooks } from './customer-webhooks.ts';
import { DocumentNotice } from './document.ts';
import { Event } from './event.ts';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';
import { memberWebhookEvents } from './member-webhook-events.ts';
import { OrderMembership } from './order-membership.ts';
import { OrderPayment } from './order-payment.ts';
import { OrderRefund } from './order-refund.ts';
import { OrderTicket } from './order-ticket.ts';
import { OrderWithTickets } from './order-with-tickets.ts';
import { Price } from './price.ts';
import { Scan, ScanDirection } from './scan.ts';
import { Transfer } from './transfer.ts';
import { waitingListWebhooks } from './waiting-list-webhooks.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';
import { envelope, webhookEvent } from './webhook-envelope.ts';
import { withdrawalWebhooks } from './withdrawal-webhooks.ts';

const Dispute = resource('Dispute', 'A dispute of a payment.', {
  dispute_id: field(v.string(), 'Identifier of the dispute at the payment provider.'),
  reason: field(v.string(), "The bank's reason, in the words of the payment provider, such as fraudulent."),
  status: field(v.string(), 'State of the dispute when it was reported, in the words of the payment provider.'),
  amount: field(Money, 'The disputed amount, in major units of the currency.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD.'),
  created: field(UnixSeconds, 'When the dispute was opened, in Unix seconds.'),
});

/** Imported orders can be cancelled too, and some of them have no buyer. */
const orderWithPossibleFan = {
  fan: field(v.nullable(Customer), 'The buyer; null for an anonymous sale.'),
  order: OrderWithTickets,
};

/** What an update says about itself. */
const changeFields = {
  changed: field(v.array(v.string()), 'The names of the fields that changed.'),
  previous: field(
    v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean(), v.record(v.string(), v.string())]))),
    'The values of these fields before the change, by name.',
  ),
};

const ofTicket = {
  event_id: field(v.string(), 'The event of the ticket.'),
  order_id: field(Id, 'The order of the ticket.'),
  ticket: OrderTicket,
};

/** One schema per type, because each type is a separate webhook in the OpenAPI document. */
export const webhookEvents = {
  'order.completed': webhookEvent('order.completed', 'OrderCompletedEvent', 'An order was paid.', orderWithPossibleFan),
  'order.cancelled': webhookEvent(
    'order.cancelled',
    'OrderCancelledEvent',
    'An order was cancelled in whole or in part. The cancelled tickets are no longer valid. The order stays confirmed while it has other valid tickets. No money was returned.',
    {
      ...orderWithPossibleFan,
      cancelled_tickets: field(v.array(OrderTicket), 'The tickets that were cancelled now.'),
      cancelled_memberships: field(v.array(OrderMembership), 'The memberships that were cancelled now.'),
      amount: field(Money, 'Price plus fees of both, in major units of the currency of the order.'),
    },
  ),
  'order.refunded': webhookEvent(
    'order.refunded',
    'OrderRefundedEvent',
    'An order was refunded in whole or in part. The refunded tickets are no longer valid. The order stays confirmed while it has other valid tickets.',
    { ...orderWithPossibleFan, refund: OrderRefund },
  ),
  'order.refund_failed': webhookEvent(
    'order.refund_failed',
    'OrderRefundFailedEvent',
    'The payment provider refused a refund. Nothing was returned, and the tickets are still valid.',
    { ...orderWithPossibleFan, refund: OrderRefund },
  ),
  'order.payment_recorded': webhookEvent(
    'order.payment_recorded',
    'OrderPaymentRecordedEvent',
    'Your staff have recorded a payment of an invoice. With the last part, tickets that waited for it become valid.',
    {
      ...orderWithPossibleFan,
      payment: OrderPayment,
      outstanding: field(Money, 'What is still owed, in major units of the currency of the order.'),
    },
  ),
  'order.disputed': webhookEvent(
    'order.disputed',
    'OrderDisputedEvent',
    'A buyer disputes the payment of an order, or of an instalment of it, at their bank. Tickets and members stay valid: you decide what to do. Later instalments of the order are not charged. Sent only where the payment provider reports disputes.',
    { ...orderWithPossibleFan, dispute: Dispute },
  ),
  ...withdrawalWebhooks,
  ...memberWebhookEvents,
  'ticket.scanned': webhookEvent(
    'ticket.scanned',
    'TicketScannedEvent',
    'A gate scanned a barcode, admitted or refused.',
    {
      event_id: field(v.string(), 'The event at whose gates the barcode was scanned.'),
      scan: Scan,
      direction: field(ScanDirection, 'The direction in which the holder passed the gate.'),
      scanned_at: field(UnixSeconds, 'When the gate scanned the barcode, in Unix seconds.'),
      timezone: field(v.string(), 'Time zone of the event, such as Australia/Melbourne.'),
    },
  ),
  'ticket.updated': webhookEvent(
    'ticket.updated',
    'TicketUpdatedEvent',
    'A ticket got another name or another seat, or its name was erased: then it is null, in `previous` too. Its barcode stays.',
    { ...ofTicket, ...changeFields },
  ),
  'ticket.transfer_offered': webhookEvent(
    'ticket.transfer_offered',
    'TicketTransferOfferedEvent',
    'The holder of a ticket offered it to somebody else. The ticket stays as it is until the person accepts. The token of the offer is in no event.',
    { ...ofTicket, transfer: Transfer },
  ),
  'ticket.transferred': webhookEvent(
    'ticket.transferred',
    'TicketTransferredEvent',
    'Somebody accepted a ticket. It has a new barcode, and the old one is void at every gate. Send the ticket to its new holder.',
    { ...ofTicket, transfer: Transfer },
  ),
  'event.created': webhookEvent('event.created', 'EventCreatedEvent', 'An event was created by the API.', {
    event: Event,
  }),
  'event.updated': webhookEvent(
    'event.updated',
    'EventUpdatedEvent',
    'An event was changed by the API: it was moved, published or closed, for example. Its orders and tickets stay. Of another start `changed` names `utc_event_start_date`, of another place `venue_id` and `venue_name`, of another name `title`; `previous` has what they were. list-event-tickets with `addresses=true` has everybody to tell.',
    { event: Event, ...changeFields },
  ),
  'price.updated': webhookEvent(
    'price.updated',
    'PriceUpdatedEvent',
    'A price was changed by the API. Changes of its capacity are not announced. What was sold keeps its price.',
    { event_id: field(v.string(), 'The event of the price.'), price: Price, ...changeFields },
  ),
  'event.cancelled': webhookEvent(
    'event.cancelled',
    'EventCancelledEvent',
    'An event was cancelled. It is closed, and its orders are refunded or cancelled one by one, each with an event of its own.',
    {
      event: Event,
      refund: field(v.picklist(['all', 'none']), 'Whether its orders are refunded, or only cancelled.'),
      reason: field(v.nullable(v.string()), 'Why, in the words of the organisation; null if no reason was given.'),
      job_id: field(v.string(), 'The job that works on the orders: see retrieve-job.'),
    },
  ),
  'webhook_endpoint.failing': webhookEvent(
    'webhook_endpoint.failing',
    'WebhookEndpointFailingEvent',
    'A webhook endpoint has not acknowledged an event for a while.',
    {
      webhook_endpoint: WebhookEndpoint,
      failing_since: field(UnixSeconds, 'When the failures started, in Unix seconds.'),
    },
  ),
  'webhook_endpoint.disabled': webhookEvent(
    'webhook_endpoint.disabled',
    'WebhookEndpointDisabledEvent',
    'The service disabled a webhook endpoint. Its disabled_reason says why.',
    { webhook_endpoint: WebhookEndpoint },
  ),
  'webhook.test': webhookEvent(
    'webhook.test',
    'WebhookTestEvent',
    'A test event, sent on request to one endpoint only.',
    {
      webhook_endpoint: WebhookEndpoint,
    },
  ),
  ...waitingListWebhooks,
  ...customerWebhooks,
  'document.issued': webhookEvent(
    'document.issued',
    'DocumentIssuedEvent',
    'A receipt or a credit note has its number. It never changes.',
    { document: DocumentNotice },
  ),
} satisfies Record<WebhookEventType, v.GenericSchema>;

/** The body of a delivery, and the item of the event feed. */
export const WebhookEvent = v.pipe(
  v.variant('type', [
    webhookEvents['order.completed'],
    webhookEvents['order.cancelled'],
    webhookEvents['order.refunded'],
    webhookEvents['order.refund_failed'],
    webhookEvents['order.payment_recorded'],
    webhookEvents['order.disputed'],
    webhookEvents['order.withdrawal_requested'],
    webhookEvents['order.withdrawal_received'],
    webhookEvents['order.withdrawal_decided'],
    webhookEvents['member.created'],
    webhookEvents['member.updated'],
    webhookEvents['membership.renewed'],
    webhookEvents['membership.renewal_due'],
    webhookEvents['membership.lapsed'],
    webhookEvents['membership.cancelled'],
    webhookEvents['instalment.paid'],
    webhookEvents['instalment.failed'],
    webhookEvents['instalment.action_required'],
    webhookEvents['ticket.scanned'],
    webhookEvents['ticket.updated'],
    webhookEvents['ticket.transfer_offered'],
    webhookEvents['ticket.transferred'],
    webhookEvents['event.created'],
    webhookEvents['event.updated'],
    webhookEvents['price.updated'],
    webhookEvents['event.cancelled'],
    webhookEvents['webhook_endpoint.failing'],
    webhookEvents['webhook_endpoint.disabled'],
    webhookEvents['webhook.test'],
    webhookEvents['waiting_list.joined'],
    webhookEvents['waiting_list.offered'],
    webhookEvents['waiting_list.expired'],
    webhookEvents['customer.consent_changed'],
    webhookEvents['customer.erased'],
    webhookEvents['document.issued'],
  ]),
  v.title('WebhookEvent'),
  v.description('An event of the organisation, as it is sent to webhook endpoints.'),
);
export type WebhookEvent = v.InferOutput<typeof WebhookEvent>;

/**
 * An event as it was stored, without fields that its resource got later. It is returned anyway, so only the check of
 * outgoing responses uses this schema. The published schema, which the tests check new events against, is WebhookEvent.
 */
export const StoredWebhookEvent = resource('StoredWebhookEvent', 'An event of the feed, as it was stored.', {
  id: envelope.id,
  type: field(v.string(), 'Type of the event.'),
  timestamp: envelope.timestamp,
  org_id: envelope.org_id,
  data: v.looseObject({}),
});
