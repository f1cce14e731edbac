import type Stripe from 'stripe';
import { checkoutLeaseSeconds } from '../domain/baskets/checkout.ts';
import { moneyText } from '../domain/money.ts';
import { Fault } from '../platform/fault.ts';
import type {
  Charge,
  Confirmed,
  ConfirmedCharge,
  Declined,
  InterruptedCharge,
  KnownCharge,
  NextAction,
  PaymentProvider,
  PaymentState,
  PaymentStatus,
  Prepared,
  Refund,
  Refunded,
} from './provider.ts';
import { minorFromStripe, stripeAmount } from './stripe-amount.ts';
import type { StripeClient, StripeRefusal, StripeResult } from './stripe-client.ts';

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

/** Part of every response, because the kind of method that paid is a field of the charge. */
const expand = ['latest_charge'];

/**
 * Stripe, with direct charges on the organisation's connected account. A charge is a PaymentIntent. With a payment method it is
 * created first and then confirmed; without one the buyer confirms it with Stripe's component. After any failure it can be found
 * by its idempotency key or its metadata, and cancelled for good.
 */
export function stripeProvider(client: StripeClient, publishableKey: string | null = null): PaymentProvider {
  return {
    name: 'stripe',
    needsAccount: true,
    publishableKey,
    prepare: (charge) => prepare(client, charge),
    prepareAgain: (charge) => prepareAgain(client, charge),
    confirm: (charge) => confirm(client, charge),
    retrieve: async (charge) => paymentState(await readIntent(client, charge)),
    cancel: (charge) => cancel(client, charge),
    refund: (charge, refund) => refundCharge(client, charge, refund),
  };
}

async function prepare(client: StripeClient, charge: Charge): Promise<Prepared> {
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

/**
 * The PaymentIntent of an interrupted attempt. Stripe returns the existing one for its idempotency key, as long as it keeps the
 * key. It refuses the key if the organisation shows a descriptor or sends receipts, which are not known here: then the attempt
 * has created its PaymentIntent. In this case, after a refusal, and when the key may be forgotten, a list of those that were
 * created during the attempt decides. A refusal alone proves nothing: the account may have changed since.
 */
async function prepareAgain(
  client: StripeClient,
  charge: InterruptedCharge,
): Promise<Pick<PaymentState, 'chargeId'> | null> {
  if (charge.ageSeconds < keyKeptSeconds) {
    const presentation = { statementDescriptor: null, receiptEmail: null };
    const created = await createIntent(client, { ...charge, presentation });
    if (created.outcome === 'done') return { chargeId: created.body.id };
  }
  return findIntent(client, charge);
}

/** More than the clocks of Stripe and of this service differ. */
const clockDifferenceSeconds = 10;

async function findIntent(
  client: StripeClient,
  { account, orgId, key, startedUnix }: InterruptedCharge,
): Promise<Pick<PaymentState, 'chargeId'> | null> {
  const endedUnix = startedUnix + checkoutLeaseSeconds;
  const created = { gte: startedUnix - clockDifferenceSeconds, lte: endedUnix + clockDifferenceSeconds };
  const listed = await client(async (stripe) => {
    for await (const { id, metadata } of stripe.paymentIntents.list({ created, limit: 100 }, onAccount(account))) {
      if (metadata.gateline_org === orgId && metadata.gateline_charge === key) return { chargeId: id };
    }
    return null;
  });
  if (listed.outcome !== 'done') throw unexpectedRefusal(listed);
  return listed.body;
}

async function confirm(client: StripeClient, charge: ConfirmedCharge): Promise<Confirmed> {
  const { account, key, chargeId, returnUrl = null } = charge;
  // Without a return_url the action is for Stripe's component, which needs no redirect.
  const fields = { ...(returnUrl !== null && { return_url: returnUrl }), expand };
  const result = await client((stripe) =>
    stripe.paymentIntents.confirm(chargeId, fields, { ...onAccount(account), idempotencyKey: `${key}-confirm` }),
  );
  switch (result.outcome) {
    case 'done':
      return toConfirmed(paymentState(result.body));
    case 'declined':
      return declined(result.message);
    case 'invalid':
      // The intent was already confirmed or cancelled: its status is the outcome.
      return toConfirmed(paymentState(await readIntent(client, charge)));
    default:
      throw unexpectedRefusal(result);
  }
}

function toConfirmed(payment: PaymentState): Confirmed {
  switch (payment.status) {
    case 'succeeded':
      return { outcome: 'paid', methodKind: payment.methodKind };
    case 'failed':
    case 'requires_payment_method':
      return declined(payment.declineMessage ?? undefined);
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

const statuses: Readonly<Record<string, PaymentStatus>> = {
  requires_payment_method: 'requires_payment_method',
  requires_confirmation: 'requires_payment_method',
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'processing',
  succeeded: 'succeeded',
  canceled: 'failed',
};

function paymentState(intent: Stripe.PaymentIntent): PaymentState {
  const status = statuses[intent.status];
  if (status === undefined) throw new Fault(`Stripe returned the unknown status ${intent.status}.`);
  const currency = intent.currency.toUpperCase();
  const amount = status === 'succeeded' ? intent.amount_received : intent.amount;
  return {
    chargeId: intent.id,
    status,
    amountMinor: minorFromStripe(amount, currency),
    currency,
    orgId: intent.metadata.gateline_org ?? null,
    key: intent.metadata.gateline_charge ?? null,
    clientSecret: intent.client_secret,
    nextAction: nextAction(intent),
    methodKind: methodKind(intent),
    declineMessage: intent.last_payment_error?.message ?? null,
  };
}

function nextAction({ next_action }: Stripe.PaymentIntent): NextAction | null {
  if (!next_action) return null;
  const { type, redirect_to_url: redirect } = next_action;
  return { type, url: redirect?.url ?? null, returnUrl: redirect?.return_url ?? null };
}

/** A wallet is a card for Stripe, but another way to pay for the buyer: apple_pay or google_pay. */
function methodKind({ latest_charge }: Stripe.PaymentIntent): string | null {
  const details = typeof latest_charge === 'object' ? latest_charge?.payment_method_details : null;
  return details?.card?.wallet?.type ?? details?.type ?? null;
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

function onAccount(account: string | null): Stripe.RequestOptions {
  return account === null ? {} : { stripeAccount: account };
}

/** A refusal that we do not expect for this call. It is logged, and an operator has to investigate. */
function unexpectedRefusal({ outcome, code }: StripeRefusal): Fault {
  return new Fault(`Stripe returned ${outcome}: ${code}.`);
}

function declined(message = 'The card was declined.'): Declined {
  return { outcome: 'declined', message };
}
