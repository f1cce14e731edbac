import type Stripe from 'stripe';
import type { Dispute, DisputeMove } from '../domain/baskets/disputes.ts';
import { minorFromStripe } from './stripe-amount.ts';

/** What Stripe reports, and whether it happened in test mode: a live endpoint gets the test events of connected accounts too. */
export type StripeEvent = ReportedEvent & { readonly isTest?: boolean };

/** What Stripe reports about a payment on the account of an organisation. */
type ReportedEvent =
  | {
      readonly kind: 'paid';
      readonly account: string;
      readonly orgId: string;
      readonly basketId: number;
      readonly chargeId: string;
    }
  | {
      readonly kind: 'disputed';
      readonly account: string;
      readonly chargeId: string;
      readonly dispute: Dispute;
      /** What happened to the money; undefined if the dispute was opened. */
      readonly move: DisputeMove | undefined;
    }
  | {
      readonly kind: 'refund_failed';
      readonly account: string;
      readonly chargeId: string;
      /** What the provider recognises the refund by; null if it was not made by this service. */
      readonly refundKey: string | null;
      readonly amountMinor: number;
    }
  /** An event that changes nothing here. */
  | { readonly kind: 'other' };

/** Whether a header has the form of Stripe's signature: a time, and an HMAC for each valid secret of the endpoint. */
export function isStripeSignature(header: string): boolean {
  return header.length <= 1_000 && /(^|,)t=\d{1,15}(,|$)/.test(header) && /(^|,)v1=[0-9a-f]{64}(,|$)/.test(header);
}

/** An event that was signed longer ago than this is a replay. Stripe signs each attempt of a delivery again. */
const toleranceSeconds = 300;

/** Verifies the signature and its age. Undefined if Stripe did not send it, or not now. */
export async function readStripeEvent(
  { body, signature }: { readonly body: string; readonly signature: string },
  webhookSecret: string,
  nowMs: number,
): Promise<StripeEvent | undefined> {
  const { default: Library } = await import('stripe');
  try {
    const event = await Library.webhooks.constructEventAsync(
      body,
      signature,
      webhookSecret,
      toleranceSeconds,
      undefined,
      nowMs,
    );
    return { ...toReportedEvent(event), ...(event.livemode === false && { isTest: true }) };
  } catch (error) {
    if (error instanceof Library.errors.StripeSignatureVerificationError) return undefined;
    throw error;
  }
}

const disputeMoves = {
  'charge.dispute.created': undefined,
  'charge.dispute.funds_withdrawn': 'withdrawn',
  'charge.dispute.funds_reinstated': 'returned',
} as const;

function toReportedEvent({ type, account, data }: Stripe.Event): ReportedEvent {
  // Payments are on the accounts of organisations. What happens on the account of the platform is not about tickets.
  if (account === undefined) return { kind: 'other' };
  if (type === 'payment_intent.succeeded') {
    const { id: chargeId, metadata } = data.object;
    const { gateline_org: orgId, gateline_basket: basket } = metadata;
    if (orgId === undefined || basket === undefined) return { kind: 'other' };
    return { kind: 'paid', account, orgId, basketId: Number(basket), chargeId };
  }
  if (
    type === 'charge.dispute.created' ||
    type === 'charge.dispute.funds_withdrawn' ||
    type === 'charge.dispute.funds_reinstated'
  ) {
    const { id: disputeId, payment_intent, reason, status, amount, currency, created: createdUnix } = data.object;
    const chargeId = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
    if (chargeId === undefined) return { kind: 'other' };
    const inCurrency = currency.toUpperCase();
    const amountMinor = minorFromStripe(amount, inCurrency);
    const dispute = { disputeId, reason, status, amountMinor, currency: inCurrency, createdUnix };
    return { kind: 'disputed', account, chargeId, dispute, move: disputeMoves[type] };
  }
  // Stripe reports the same failure by several types, depending on the method and the version of the account.
  if (type === 'refund.failed' || type === 'refund.updated' || type === 'charge.refund.updated') {
    return failedRefund(account, data.object);
  }
  return { kind: 'other' };
}

function failedRefund(
  account: string,
  { payment_intent, status, amount, currency, metadata }: Stripe.Refund,
): ReportedEvent {
  const chargeId = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
  const isFailed = status === 'failed' || status === 'canceled';
  if (chargeId === undefined || !isFailed) return { kind: 'other' };
  const amountMinor = minorFromStripe(amount, currency.toUpperCase());
  return { kind: 'refund_failed', account, chargeId, refundKey: metadata?.gateline_refund ?? null, amountMinor };
}
