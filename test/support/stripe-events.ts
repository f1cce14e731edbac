import Stripe from 'stripe';
import { readStripeEvent } from '../../shared/payments/stripe-events.ts';
import { acceptStripeEvent } from '../../shared/sales/accept-stripe-event.ts';
import { type Intent, shown } from '../../tools/fixtures/stripe-intents.ts';
import type { TestCheckoutDeps } from './baskets.ts';

export const webhookSecret = 'whsec_test';

/** An event as Stripe sends it, signed at this time. */
export function signed(nowUnix: number, event: unknown, secret = webhookSecret) {
  const body = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: nowUnix });
  return { body, signature };
}

let events = 0;

function eventAbout(account: string, type: string, object: unknown) {
  events += 1;
  return { id: `evt_${events}`, object: 'event', type, account, data: { object } };
}

export const intentEventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
] as const;
export type IntentEventType = (typeof intentEventTypes)[number];

/** What Stripe reports about a payment. The type may contradict the payment: events come late, and in any order. */
export function intentEvent(intent: Intent, type: IntentEventType = 'payment_intent.succeeded') {
  return eventAbout(intent.account, type, shown(intent));
}

type DisputeEventType = 'created' | 'funds_withdrawn' | 'funds_reinstated';

export function disputeEvent(intent: Intent, nowUnix: number, type: DisputeEventType = 'created') {
  const { amount, currency, account } = intent;
  const about = { id: `dp_${intent.id}`, payment_intent: intent.id, reason: 'fraudulent', status: 'needs_response' };
  return eventAbout(account, `charge.dispute.${type}`, { ...about, amount, currency, created: nowUnix });
}

/** Receives an event, as the route does. */
export async function receive(deps: TestCheckoutDeps, event: unknown): Promise<void> {
  const read = await readStripeEvent(signed(deps.nowUnix, event), webhookSecret, deps.nowUnix * 1000);
  if (read === undefined) throw new Error('The signature was refused.');
  await acceptStripeEvent(deps, read);
}

/** What Stripe reports about a refund of a payment. */
export function refundEvent(intent: Intent, refund: object, type = 'refund.failed') {
  return eventAbout(intent.account, type, { currency: intent.currency, ...refund });
}
