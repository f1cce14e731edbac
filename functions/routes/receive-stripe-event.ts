import { acceptStripeEvent } from '../../shared/checkout/accept-stripe-event.ts';
import { livePayments, stripeWebhookSecret } from '../../shared/payments/live.ts';
import { readStripeEvent } from '../../shared/payments/stripe-events.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { plainText, routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = routeWorker(async ({ header, body }) => {
  const webhookSecret = await stripeWebhookSecret();
  if (webhookSecret === undefined) return plainText(404, 'This stage receives no events of Stripe.');
  const signature = header('stripe-signature') ?? '';
  const event = await readStripeEvent({ body, signature }, webhookSecret, systemClock.nowMs());
  if (event === undefined) return plainText(400, 'The signature is invalid or too old.');
  const table = workerTable();
  await acceptStripeEvent({ table, clock: systemClock, payments: livePayments(table) }, event);
  return plainText(200, 'received');
});
