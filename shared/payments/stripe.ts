import * as v from 'valibot';
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
import type { StripeApi, StripeRefusal, StripeResult } from './stripe-api.ts';

const Intent = v.object({
  id: v.string(),
  status: v.string(),
  last_payment_error: v.nullish(v.object({ message: v.optional(v.string()) })),
});
type Intent = v.InferOutput<typeof Intent>;

const RefundMade = v.object({ status: v.nullable(v.string()), metadata: v.nullish(v.record(v.string(), v.string())) });
const RefundList = v.object({ data: v.array(RefundMade) });

/**
 * Stripe, with direct charges on the organisation's connected account. A charge is a PaymentIntent that is created first and
 * confirmed after its id has been written down: whatever happens then, it can be asked for by that id, and cancelled for good.
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
  const fields = {
    amount: charge.amountMinor,
    currency: charge.currency.toLowerCase(),
    payment_method: charge.paymentMethod,
    allowed_payment_method_types: ['card'],
    metadata: { gateline_org: charge.orgId, gateline_charge: charge.key },
  };
  const { account, key } = charge;
  const answer = await api(
    { method: 'POST', path: '/v1/payment_intents', fields, account, idempotencyKey: `${key}-prepare` },
    signal,
  );
  switch (answer.outcome) {
    case 'done':
      return { outcome: 'prepared', chargeId: v.parse(Intent, answer.body).id };
    case 'declined':
      return declined(answer.message);
    default:
      if (answer.outcome === 'invalid' && answer.param === 'payment_method') return { outcome: 'method_unknown' };
      // Too small an amount, an account that may not charge: asking again would bring the same.
      return { outcome: 'refused', code: answer.code ?? answer.type };
  }
}

async function confirm(api: StripeApi, charge: KnownCharge, signal: AbortSignal): Promise<Confirmed> {
  const { account, key } = charge;
  // Nobody is there to follow a redirect: a card that asks for one is declined, and the buyer takes another.
  const fields = { error_on_requires_action: true };
  const path = `${intentPath(charge)}/confirm`;
  const answer = await api({ method: 'POST', path, fields, account, idempotencyKey: `${key}-confirm` }, signal);
  switch (answer.outcome) {
    case 'done':
      return toConfirmed(v.parse(Intent, answer.body));
    case 'declined':
      return declined(answer.message);
    case 'invalid':
      // It was confirmed or cancelled before: it says itself how it stands.
      return toConfirmed(await readIntent(api, charge, signal));
    default:
      throw unexpectedRefusal(answer);
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
  // Without a key: to cancel twice does no more than to do it once, and a key would bring a failure again for a day.
  const answer = await api({ method: 'POST', path, fields, account: charge.account }, signal);
  if (answer.outcome === 'done') return 'unpaid';
  if (answer.outcome !== 'invalid') throw unexpectedRefusal(answer);
  // What is paid, or cancelled already, cannot be cancelled.
  const { status } = await readIntent(api, charge, signal);
  if (status === 'succeeded') return 'paid';
  return status === 'canceled' ? 'unpaid' : 'pending';
}

async function readIntent(api: StripeApi, charge: KnownCharge, signal: AbortSignal): Promise<Intent> {
  const answer = await api({ method: 'GET', path: intentPath(charge), account: charge.account }, signal);
  if (answer.outcome !== 'done') throw unexpectedRefusal(answer);
  return v.parse(Intent, answer.body);
}

/** Stripe forgets idempotency keys after a day or so, and a refund may take longer: so it is looked for first. */
async function refundCharge(
  api: (call: Parameters<StripeApi>[0]) => Promise<StripeResult>,
  { account, chargeId: payment_intent }: KnownCharge,
  { key, amountMinor }: Refund,
): Promise<Refunded> {
  const path = '/v1/refunds';
  const list = await api({ method: 'GET', path, fields: { payment_intent, limit: 100 }, account });
  if (list.outcome !== 'done') return toRefusedRefund(list);
  const existing = v.parse(RefundList, list.body).data.find(({ metadata }) => metadata?.gateline_refund === key);
  if (existing !== undefined) return toRefunded(existing);
  const fields = { payment_intent, amount: amountMinor, metadata: { gateline_refund: key } };
  const made = await api({ method: 'POST', path, fields, account, idempotencyKey: key });
  return made.outcome === 'done' ? toRefunded(v.parse(RefundMade, made.body)) : toRefusedRefund(made);
}

function toRefunded({ status }: v.InferOutput<typeof RefundMade>): Refunded {
  const isRefused = status === 'failed' || status === 'canceled';
  return isRefused ? { outcome: 'refused', message: `The refund is ${status}.` } : { outcome: 'refunded' };
}

function toRefusedRefund(answer: StripeRefusal): Refunded {
  if (answer.outcome !== 'invalid') throw unexpectedRefusal(answer);
  return { outcome: 'refused', message: answer.message ?? 'Stripe rejected the refund.' };
}

function intentPath({ chargeId }: KnownCharge): string {
  return `/v1/payment_intents/${encodeURIComponent(chargeId)}`;
}

/** A no where the call has none that we know: somebody has to look at it. */
function unexpectedRefusal({ outcome, code, type }: StripeRefusal): Fault {
  return new Fault(`Stripe returned ${outcome}: ${code ?? type}.`);
}

function declined(message = 'The card was declined.'): Declined {
  return { outcome: 'declined', message };
}
