import { livePayments } from '../../shared/payments/live.ts';
import { isStripeSignature, readStripeEvent } from '../../shared/payments/stripe-events.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { stripeWebhookSecretArn } from '../../shared/platform/env.ts';
import { KeptSecret } from '../../shared/platform/kept-secret.ts';
import { secretText } from '../../shared/platform/secret.ts';
import { acceptStripeEvent } from '../../shared/sales/accept-stripe-event.ts';
import { plainText, routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

const secret = new KeptSecret(() => secretText(stripeWebhookSecretArn()), systemClock);

export const handler = routeWorker(async ({ header, body }) => {
  const refused = plainText(400, 'The signature is invalid or too old.');
  const signature = header('stripe-signature') ?? '';
  // Before anything else: everyone can call this route, and most of them are not Stripe.
  if (!isStripeSignature(signature)) return refused;
  const read = (text: string) => readStripeEvent({ body, signature }, text, systemClock.nowMs());
  let event = await read(await secret.text());
  if (event === undefined) {
    const replaced = await secret.afterMismatch();
    event = replaced === undefined ? undefined : await read(replaced);
  }
  if (event === undefined) return refused;
  const table = workerTable();
  await acceptStripeEvent({ table, clock: systemClock, payments: livePayments(table) }, event);
  return plainText(200, 'received');
});
