import type Stripe from 'stripe';
import { checkoutLeaseSeconds } from '../domain/baskets/checkout.ts';
import type { Charge, InterruptedCharge, PaymentState, Prepared } from './provider.ts';
import { stripeAmount } from './stripe-amount.ts';
import type { StripeClient, StripeResult } from './stripe-client.ts';
import { declined, expand, onAccount, paymentState, unexpectedRefusal } from './stripe-intent.ts';

/**
 * Methods whose money arrives, or fails to arrive, days after the buyer has paid. A ticket cannot be held for days, so a buyer
 * cannot choose them. https://docs.stripe.com/payments/payment-methods/payment-method-support
 */
const delayedMethods = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'nz_bank_account',
  'oxxo',
  'payto',
  'sepa_debit',
  'sofort',
  'us_bank_account',
];

/** Creates the PaymentIntent of an attempt. */
export async function prepare(client: StripeClient, charge: Charge): Promise<Prepared> {
  const result = await createIntent(client, charge);
  switch (result.outcome) {
    case 'done':
      return { outcome: 'prepared', payment: paymentState(result.body) };
    case 'declined':
      return declined(result.message);
    case 'key_used':
      throw unexpectedRefusal(result);
    default:
      if (result.outcome === 'invalid' && result.param === 'payment_method') return { outcome: 'method_unknown' };
      // For example too small an amount, or an account that may not charge: a retry would fail again.
      return { outcome: 'refused', code: result.code };
  }
}

async function createIntent(
  client: StripeClient,
  charge: Omit<Charge, 'returnUrl'>,
): Promise<StripeResult<Stripe.PaymentIntent>> {
  const amount = stripeAmount(charge.amountMinor, charge.currency);
  if (amount === undefined) return amountNotChargeable;
  const { account, key, paymentMethod } = charge;
  const { statementDescriptor, receiptEmail } = charge.presentation;
  const fields: Stripe.PaymentIntentCreateParams = {
    amount,
    currency: charge.currency.toLowerCase(),
    ...(paymentMethod === null
      ? { automatic_payment_methods: { enabled: true }, excluded_payment_method_types: delayedMethods }
      : { payment_method: paymentMethod, allowed_payment_method_types: ['card'] }),
    // Cards show the descriptor of the account with this suffix; Stripe refuses a full one for them.
    ...(statementDescriptor !== null && { statement_descriptor_suffix: statementDescriptor }),
    ...(receiptEmail !== null && { receipt_email: receiptEmail }),
    metadata: {
      gateline_org: charge.orgId,
      gateline_charge: key,
      gateline_basket: String(charge.basketId),
      // The order that a basket becomes has its id.
      gateline_order: String(charge.basketId),
    },
    expand,
  };
  return client((stripe) =>
    stripe.paymentIntents.create(fields, { ...onAccount(account), idempotencyKey: `${key}-prepare` }),
  );
}

const amountNotChargeable = {
  outcome: 'invalid',
  code: 'amount_not_chargeable',
  param: undefined,
  message: undefined,
} as const;

/** Stripe keeps an idempotency key for at least 24 hours. */
const keyKeptSeconds = 20 * 3_600;

/** By then, the function that made the attempt has ended: it cannot create a PaymentIntent any more. */
const attemptEndedSeconds = 600;

/**
 * The PaymentIntent of an interrupted attempt. Stripe returns the existing one for its idempotency key, as long as it keeps the
 * key. It refuses the key if the organisation has changed how payments are shown: then the attempt has created its PaymentIntent. In
 * this case, after a refusal, and when the key may be forgotten, a list of those that were created during the attempt decides. A
 * refusal alone proves nothing: the account may have changed since. Stripe also keeps an error of its own under the key, and
 * repeats it for a day; the list decides as soon as no process can use the key.
 */
export async function prepareAgain(
  client: StripeClient,
  charge: InterruptedCharge,
  signal: AbortSignal,
): Promise<Pick<PaymentState, 'chargeId'> | null> {
  if (charge.ageSeconds < keyKeptSeconds) {
    try {
      const created = await createIntent(client, charge);
      if (created.outcome === 'done') return { chargeId: created.body.id };
    } catch (error) {
      if (charge.ageSeconds < attemptEndedSeconds) throw error;
    }
  }
  return findIntent(client, charge, signal);
}

/** More than the clocks of Stripe and of this service differ. */
const clockDifferenceSeconds = 10;

/** The usual time from the claim to the PaymentIntent. Looked at first: during a large sale the whole lease has thousands. */
const usualSeconds = { before: 2, after: 4 };

async function findIntent(
  client: StripeClient,
  { account, orgId, key, startedUnix }: InterruptedCharge,
  signal: AbortSignal,
): Promise<Pick<PaymentState, 'chargeId'> | null> {
  const usual = { gte: startedUnix - usualSeconds.before, lte: startedUnix + usualSeconds.after };
  const endedUnix = startedUnix + checkoutLeaseSeconds;
  const all = { gte: startedUnix - clockDifferenceSeconds, lte: endedUnix + clockDifferenceSeconds };
  const listed = await client(async (stripe) => {
    for (const created of [usual, all]) {
      for await (const { id, metadata } of stripe.paymentIntents.list({ created, limit: 100 }, onAccount(account))) {
        if (metadata.gateline_org === orgId && metadata.gateline_charge === key) return { chargeId: id };
        // The caller does not wait any more.
        signal.throwIfAborted();
      }
    }
    return null;
  });
  if (listed.outcome !== 'done') throw unexpectedRefusal(listed);
  return listed.body;
}
