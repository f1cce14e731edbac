import type Stripe from 'stripe';
import { moneyText } from '../domain/money.ts';
import type {
  Confirmed,
  ConfirmedCharge,
  KnownCharge,
  NewProviderCustomer,
  PaymentProvider,
  PaymentState,
  Refund,
  Refunded,
} from './provider.ts';
import { stripeAmount } from './stripe-amount.ts';
import type { StripeClient, StripeRefusal } from './stripe-client.ts';
import { declined, expand, onAccount, paymentState, unexpectedRefusal } from './stripe-intent.ts';
import { prepare } from './stripe-prepare.ts';
import { describeCard, retrieveSetup, setUp } from './stripe-setup.ts';

/**
 * Stripe, with direct charges on the organisation's connected account. A charge is a PaymentIntent. With a payment method it is
 * created first and confirmed after its id is recorded; without one the buyer confirms it with Stripe's component. After any
 * failure it can be retrieved by that id, and cancelled for good.
 */
export function stripeProvider(client: StripeClient, publishableKey: string | null = null): PaymentProvider {
  return {
    name: 'stripe',
    needsAccount: true,
    publishableKey,
    createCustomer: (customer) => createCustomer(client, customer),
    setUp: (method) => setUp(client, method),
    retrieveSetup: (setup) => retrieveSetup(client, setup),
    describeCard: (method) => describeCard(client, method),
    prepare: (charge) => prepare(client, charge),
    confirm: (charge) => confirm(client, charge),
    retrieve: async (charge) => paymentState(await readIntent(client, charge)),
    cancel: (charge) => cancel(client, charge),
    refund: (charge, refund) => refundCharge(client, charge, refund),
  };
}

/** The customer has no personal data: Stripe needs it only to keep cards. */
async function createCustomer(client: StripeClient, { orgId, account, key }: NewProviderCustomer): Promise<string> {
  const fields = { metadata: { gateline_org: orgId } };
  const result = await client((stripe) =>
    stripe.customers.create(fields, { ...onAccount(account), idempotencyKey: key }),
  );
  if (result.outcome !== 'done') throw unexpectedRefusal(result);
  return result.body.id;
}

async function confirm(client: StripeClient, charge: ConfirmedCharge): Promise<Confirmed> {
  const { account, key, chargeId, returnUrl = null, offSession = false } = charge;
  // Without a return_url the action is for Stripe's component, which needs no redirect.
  const fields = {
    ...(returnUrl !== null && { return_url: returnUrl }),
    ...(offSession && { off_session: true }),
    expand,
  };
  const result = await client((stripe) =>
    stripe.paymentIntents.confirm(chargeId, fields, { ...onAccount(account), idempotencyKey: `${key}-confirm` }),
  );
  switch (result.outcome) {
    case 'done':
      return toConfirmed(paymentState(result.body));
    case 'declined':
      return declined(result.message, result.declineCode ?? result.code);
    case 'busy':
      return { outcome: 'not_processed' };
    case 'invalid': {
      // The intent was already confirmed or cancelled: its status is the outcome. If no card was tried, the call itself is wrong.
      const payment = paymentState(await readIntent(client, charge));
      const isUntried = payment.status === 'requires_payment_method' && payment.declineMessage === null;
      return isUntried ? { outcome: 'refused', code: result.code } : toConfirmed(payment);
    }
    default:
      throw unexpectedRefusal(result);
  }
}

function toConfirmed(payment: PaymentState): Confirmed {
  switch (payment.status) {
    case 'succeeded':
      return { outcome: 'paid', methodKind: payment.methodKind, method: payment.method };
    case 'failed':
    case 'requires_payment_method':
      return declined(payment.declineMessage ?? undefined, payment.declineCode);
    case 'requires_action':
      return { outcome: 'action_required', payment };
    case 'processing':
      return { outcome: 'pending' };
  }
}

/** A payment that is paid, cancelled or being processed cannot be cancelled, and is returned as it is. */
async function cancel(client: StripeClient, charge: KnownCharge): Promise<PaymentState> {
  const fields = { cancellation_reason: 'abandoned', expand } as const;
  // No idempotency key: cancelling is idempotent, and with a key Stripe would repeat a failed response for a day.
  const result = await client((stripe) =>
    stripe.paymentIntents.cancel(charge.chargeId, fields, onAccount(charge.account)),
  );
  if (result.outcome === 'done') return paymentState(result.body);
  if (result.outcome !== 'invalid') throw unexpectedRefusal(result);
  return paymentState(await readIntent(client, charge));
}

async function readIntent(client: StripeClient, { chargeId, account }: KnownCharge): Promise<Stripe.PaymentIntent> {
  const result = await client((stripe) => stripe.paymentIntents.retrieve(chargeId, { expand }, onAccount(account)));
  if (result.outcome !== 'done') throw unexpectedRefusal(result);
  return result.body;
}

/** Stripe forgets idempotency keys after about a day, and a refund may take longer, so an existing refund is searched first. */
async function refundCharge(
  client: StripeClient,
  { account, chargeId: payment_intent }: KnownCharge,
  { key, amountMinor, currency }: Refund,
): Promise<Refunded> {
  const amount = stripeAmount(amountMinor, currency);
  if (amount === undefined) {
    return { outcome: 'refused', message: `Stripe cannot refund ${moneyText(amountMinor, currency)}.` };
  }
  const list = await client((stripe) => stripe.refunds.list({ payment_intent, limit: 100 }, onAccount(account)));
  if (list.outcome !== 'done') return toRefusedRefund(list);
  const existing = list.body.data.find(({ metadata }) => metadata?.gateline_refund === key);
  if (existing !== undefined) return toRefunded(existing);
  const fields = { payment_intent, amount, metadata: { gateline_refund: key } };
  const options = { ...onAccount(account), idempotencyKey: key };
  const created = await client((stripe) => stripe.refunds.create(fields, options));
  return created.outcome === 'done' ? toRefunded(created.body) : toRefusedRefund(created);
}

function toRefunded({ status }: Stripe.Refund): Refunded {
  const isRefused = status === 'failed' || status === 'canceled';
  return isRefused ? { outcome: 'refused', message: `The refund is ${status}.` } : { outcome: 'refunded' };
}

function toRefusedRefund(result: StripeRefusal): Refunded {
  if (result.outcome !== 'invalid') throw unexpectedRefusal(result);
  return { outcome: 'refused', message: result.message ?? 'Stripe rejected the refund.' };
}
