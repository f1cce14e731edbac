import type Stripe from 'stripe';
import { Fault } from '../platform/fault.ts';
import type { Declined, MethodUnknown, NextAction, PaymentState, PaymentStatus } from './provider.ts';
import { minorFromStripe } from './stripe-amount.ts';
import type { StripeRefusal } from './stripe-client.ts';

/** Part of every response, because the kind of method that paid is a field of the charge. */
export const expand = ['latest_charge'];

const statuses: Readonly<Record<string, PaymentStatus>> = {
  requires_payment_method: 'requires_payment_method',
  requires_confirmation: 'requires_payment_method',
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'processing',
  succeeded: 'succeeded',
  canceled: 'failed',
};

/** A PaymentIntent and a SetupIntent have the same statuses. */
export function statusOf({ status: given }: { readonly status: string }): PaymentStatus {
  const status = statuses[given];
  if (status === undefined) throw new Fault(`Stripe returned the unknown status ${given}.`);
  return status;
}

export function paymentState(intent: Stripe.PaymentIntent): PaymentState {
  const status = statusOf(intent);
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
    method: idOf(intent.payment_method),
    declineMessage: intent.last_payment_error?.message ?? null,
    declineCode: declineCode(intent),
  };
}

/** An error of Stripe itself, or of our call, is not a decline. One that its owner has failed to authenticate is of neither type. */
function declineCode({ last_payment_error: error }: Stripe.PaymentIntent): string | null {
  if (error?.type === 'api_error' || error?.type === 'idempotency_error') return null;
  const isOurs = error?.type === 'invalid_request_error' && error.code?.startsWith('payment_intent_') !== true;
  return isOurs ? null : (error?.decline_code ?? error?.code ?? null);
}

export function idOf(reference: string | { readonly id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

/** What the provider's component or the page of the bank lets the owner of the card do. */
export function nextAction({
  next_action,
}: Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'next_action'>): NextAction | null {
  if (!next_action) return null;
  const { type, redirect_to_url: redirect } = next_action;
  return { type, url: redirect?.url ?? null, returnUrl: redirect?.return_url ?? null };
}

/** A wallet is a card for Stripe, but another way to pay for the buyer, such as apple_pay or link. */
function methodKind({ latest_charge }: Stripe.PaymentIntent): string | null {
  const details = typeof latest_charge === 'object' ? latest_charge?.payment_method_details : null;
  return details?.card?.wallet?.type ?? details?.type ?? null;
}

export function onAccount(account: string | null): Stripe.RequestOptions {
  return account === null ? {} : { stripeAccount: account };
}

/** A refusal that we do not expect for this call. It is logged, and an operator has to investigate. */
export function unexpectedRefusal({ outcome, code }: StripeRefusal): Fault {
  return new Fault(`Stripe returned ${outcome}: ${code}.`);
}

/** Stripe says this of a key for test payments that meets a live method, or the other way round: then it is ours to correct. */
const otherMode = /similar object exists in (test|live) mode/;

/** Undefined if the refusal is not about the payment method. */
export function methodUnknown({ outcome, code, param, message }: StripeRefusal): MethodUnknown | undefined {
  if (outcome !== 'invalid' || param !== 'payment_method' || otherMode.test(message ?? '')) return undefined;
  return { outcome: 'method_unknown', isGone: code === 'resource_missing' };
}

export function declined(message = 'The card was declined.', code: string | null = null): Declined {
  return { outcome: 'declined', message, code };
}
