import * as v from 'valibot';
import { moneyText } from '../domain/money.ts';
import { Fault } from '../platform/fault.ts';
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
import { stripeAmount } from './stripe-amount.ts';
import type { StripeApi, StripeRefusal, StripeResult } from './stripe-api.ts';

const Intent = v.object({
  id: v.string(),
  status: v.string(),
  last_payment_error: v.nullish(v.object({ message: v.optional(v.string()) })),
});
type Intent = v.InferOutput<typeof Intent>;

const StripeRefund = v.object({
  status: v.nullable(v.string()),
  metadata: v.nullish(v.record(v.string(), v.string())),
});
const RefundList = v.object({ data: v.array(StripeRefund) });

/**
 * Stripe, with direct charges on the organisation's connected account. A charge is a PaymentIntent that is created first and
 * confirmed after its id is recorded. After any failure it can be retrieved by that id, and cancelled for good.
 */
export function stripeProvider(api: StripeApi): PaymentProvider {
  return {
    name: 'stripe',
    needsAccount: true,
    prepare: (charge, signal) => prepare(api, charge, signal),
    confirm: (charge, signal) => confirm(api, charge, signal),
    settle: (charge, signal) => settle(api, charge, signal),
    refund: (charge, refund, signal) => refundCharge((call) => api(call, signal), charge, refund),
  };
}

async function prepare(api: StripeApi, charge: Charge, signal: AbortSignal): Promise<Prepared> {
  const amount = stripeAmount(charge.amountMinor, charge.currency);
  if (amount === undefined) return { outcome: 'refused', code: 'amount_not_chargeable' };
  const fields = {
    amount,
    currency: charge.currency.toLowerCase(),
    payment_method: charge.paymentMethod,
    allowed_payment_method_types: ['card'],
    metadata: { gateline_org: charge.orgId, gateline_charge: charge.key },
  };
  const { account, key } = charge;
  const result = await api(
    { method: 'POST', path: '/v1/payment_intents', fields, account, idempotencyKey: `${key}-prepare` },
    signal,
  );
  switch (result.outcome) {
    case 'done':
      return { outcome: 'prepared', chargeId: v.parse(Intent, result.body).id };
    case 'declined':
      return declined(result.message);
    default:
      if (result.outcome === 'invalid' && result.param === 'payment_method') return { outcome: 'method_unknown' };
      // For example too small an amount, or an account that may not charge: a retry would fail again.
      return { outcome: 'refused', code: result.code ?? result.type };
  }
}

async function confirm(api: StripeApi, charge: KnownCharge, signal: AbortSignal): Promise<Confirmed> {
  const { account, key } = charge;
  // The buyer cannot follow a redirect: a card that requires one is declined, and the buyer uses another.
  const fields = { error_on_requires_action: true };
  const path = `${intentPath(charge)}/confirm`;
  const result = await api({ method: 'POST', path, fields, account, idempotencyKey: `${key}-confirm` }, signal);
  switch (result.outcome) {
    case 'done':
      return toConfirmed(v.parse(Intent, result.body));
    case 'declined':
      return declined(result.message);
    case 'invalid':
      // The intent was already confirmed or cancelled: its status is the outcome.
      return toConfirmed(await readIntent(api, charge, signal));
    default:
      throw unexpectedRefusal(result);
  }
}

function toConfirmed({ status, last_payment_error }: Intent): Confirmed {
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

async function settle(api: StripeApi, charge: KnownCharge, signal: AbortSignal): Promise<Settled> {
  const fields = { cancellation_reason: 'abandoned' };
  const path = `${intentPath(charge)}/cancel`;
  // No idempotency key: cancelling is idempotent, and with a key Stripe would repeat a failed response for a day.
  const result = await api({ method: 'POST', path, fields, account: charge.account }, signal);
  if (result.outcome === 'done') return 'unpaid';
  if (result.outcome !== 'invalid') throw unexpectedRefusal(result);
  // A paid or cancelled intent cannot be cancelled.
  const { status } = await readIntent(api, charge, signal);
  if (status === 'succeeded') return 'paid';
  return status === 'canceled' ? 'unpaid' : 'pending';
}

async function readIntent(api: StripeApi, charge: KnownCharge, signal: AbortSignal): Promise<Intent> {
  const result = await api({ method: 'GET', path: intentPath(charge), account: charge.account }, signal);
  if (result.outcome !== 'done') throw unexpectedRefusal(result);
  return v.parse(Intent, result.body);
}

/** Stripe forgets idempotency keys after about a day, and a refund may take longer, so an existing refund is searched first. */
async function refundCharge(
  api: (call: Parameters<StripeApi>[0]) => Promise<StripeResult>,
  { account, chargeId: payment_intent }: KnownCharge,
  { key, amountMinor, currency }: Refund,
): Promise<Refunded> {
  const amount = stripeAmount(amountMinor, currency);
  if (amount === undefined) {
    return { outcome: 'refused', message: `Stripe cannot refund ${moneyText(amountMinor, currency)}.` };
  }
  const path = '/v1/refunds';
  const list = await api({ method: 'GET', path, fields: { payment_intent, limit: 100 }, account });
  if (list.outcome !== 'done') return toRefusedRefund(list);
  const existing = v.parse(RefundList, list.body).data.find(({ metadata }) => metadata?.gateline_refund === key);
  if (existing !== undefined) return toRefunded(existing);
  const fields = { payment_intent, amount, metadata: { gateline_refund: key } };
  const created = await api({ method: 'POST', path, fields, account, idempotencyKey: key });
  return created.outcome === 'done' ? toRefunded(v.parse(StripeRefund, created.body)) : toRefusedRefund(created);
}

function toRefunded({ status }: v.InferOutput<typeof StripeRefund>): Refunded {
  const isRefused = status === 'failed' || status === 'canceled';
  return isRefused ? { outcome: 'refused', message: `The refund is ${status}.` } : { outcome: 'refunded' };
}

function toRefusedRefund(result: StripeRefusal): Refunded {
  if (result.outcome !== 'invalid') throw unexpectedRefusal(result);
  return { outcome: 'refused', message: result.message ?? 'Stripe rejected the refund.' };
}

function intentPath({ chargeId }: KnownCharge): string {
  return `/v1/payment_intents/${encodeURIComponent(chargeId)}`;
}

/** A refusal that we do not expect for this call. It is logged, and an operator has to investigate. */
function unexpectedRefusal({ outcome, code, type }: StripeRefusal): Fault {
  return new Fault(`Stripe returned ${outcome}: ${code ?? type}.`);
}

function declined(message = 'The card was declined.'): Declined {
  return { outcome: 'declined', message };
}
