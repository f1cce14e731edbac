import type StripeClient from 'stripe';
import type {
  Charge,
  Confirmed,
  Declined,
  KnownCharge,
  PaymentProvider,
  Prepared,
  Refund,
  Refunded,
  Settled,
} from './provider.ts';

/** Where Stripe's API is; tests have one of their own. */
export interface StripeAddress {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

type Library = typeof StripeClient;
type Intent = StripeClient.PaymentIntent;

/** One retry finds a new connection when an old one has gone stale; whether more is worth it, the sweeper decides. */
const manners = { maxNetworkRetries: 1, timeout: 8_000, telemetry: false } as const;

/**
 * Stripe, with direct charges on the organisation's connected account. A charge is a PaymentIntent that is created first and
 * confirmed after its id has been written down: whatever happens then, it can be asked for by that id, and cancelled for good.
 */
export async function stripeProvider(secretKey: string, address?: StripeAddress): Promise<PaymentProvider> {
  // Loaded here, not at the top: where payments are the sandbox's, nobody waits for it.
  const { default: Stripe } = await import('stripe');
  const client = new Stripe(secretKey, { ...manners, ...address });
  return {
    name: 'stripe',
    needsAccount: true,
    prepare: (charge) => prepare(Stripe, client, charge),
    confirm: (charge) => confirm(Stripe, client, charge),
    settle: (charge) => settle(Stripe, client, charge),
    refund: (charge, refund) => giveBack(Stripe, client, charge, refund),
  };
}

function onAccount({ account }: Pick<Charge, 'account'>) {
  return account === null ? {} : { stripeAccount: account };
}

async function prepare(Stripe: Library, client: StripeClient, charge: Charge): Promise<Prepared> {
  try {
    const { id } = await client.paymentIntents.create(
      {
        amount: charge.amountMinor,
        currency: charge.currency.toLowerCase(),
        payment_method: charge.paymentMethod,
        allowed_payment_method_types: ['card'],
        metadata: { gateline_org: charge.orgId, gateline_charge: charge.key },
      },
      { ...onAccount(charge), idempotencyKey: `${charge.key}-prepare` },
    );
    return { outcome: 'prepared', chargeId: id };
  } catch (error) {
    const { StripeInvalidRequestError, StripePermissionError } = Stripe.errors;
    const isInvalid = error instanceof StripeInvalidRequestError;
    if (isInvalid && error.param === 'payment_method') return { outcome: 'method_unknown' };
    // Too small an amount, an account that may not charge: asking again would bring the same.
    if (isInvalid || error instanceof StripePermissionError) {
      return { outcome: 'refused', code: error.code ?? error.type };
    }
    return declinedBy(Stripe, error);
  }
}

async function confirm(Stripe: Library, client: StripeClient, charge: KnownCharge): Promise<Confirmed> {
  try {
    const intent = await client.paymentIntents.confirm(
      charge.chargeId,
      // Nobody is there to follow a redirect: a card that asks for one is declined, and the buyer takes another.
      { error_on_requires_action: true },
      { ...onAccount(charge), idempotencyKey: `${charge.key}-confirm` },
    );
    return confirmedAs(intent);
  } catch (error) {
    // It was confirmed or cancelled before: it says itself how it stands.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return confirmedAs(await read(client, charge));
    return declinedBy(Stripe, error);
  }
}

function confirmedAs({ status, last_payment_error }: Intent): Confirmed {
  switch (status) {
    case 'succeeded':
      return { outcome: 'paid' };
    case 'canceled':
    case 'requires_payment_method':
      return declined(last_payment_error?.message);
    default:
      return { outcome: 'pending' };
  }
}

async function settle(Stripe: Library, client: StripeClient, charge: KnownCharge): Promise<Settled> {
  try {
    const reason = { cancellation_reason: 'abandoned' } as const;
    await client.paymentIntents.cancel(charge.chargeId, reason, onAccount(charge));
    return 'unpaid';
  } catch (error) {
    // What is paid, or cancelled already, cannot be cancelled.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const { status } = await read(client, charge);
    if (status === 'succeeded') return 'paid';
    return status === 'canceled' ? 'unpaid' : 'pending';
  }
}

function read(client: StripeClient, charge: KnownCharge): Promise<Intent> {
  return client.paymentIntents.retrieve(charge.chargeId, {}, onAccount(charge));
}

/** Stripe forgets idempotency keys after a day or so, and a refund may take longer: so it is looked for first. */
async function giveBack(
  Stripe: Library,
  client: StripeClient,
  charge: KnownCharge,
  { key, amountMinor }: Refund,
): Promise<Refunded> {
  const { chargeId: payment_intent } = charge;
  try {
    const { data } = await client.refunds.list({ payment_intent, limit: 100 }, onAccount(charge));
    const known = data.find(({ metadata }) => metadata?.gateline_refund === key);
    const { status } =
      known ??
      (await client.refunds.create(
        { payment_intent, amount: amountMinor, metadata: { gateline_refund: key } },
        { ...onAccount(charge), idempotencyKey: key },
      ));
    const isRefused = status === 'failed' || status === 'canceled';
    return isRefused ? { outcome: 'refused', message: `The refund is ${status}.` } : { outcome: 'refunded' };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return { outcome: 'refused', message: error.message };
    throw error;
  }
}

function declinedBy(Stripe: Library, error: unknown): Declined {
  if (error instanceof Stripe.errors.StripeCardError) return declined(error.message);
  throw error;
}

function declined(message = 'The card was declined.'): Declined {
  return { outcome: 'declined', message };
}
