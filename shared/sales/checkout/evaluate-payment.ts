import { type Basket, type Checkout, isPrepared } from '../../domain/baskets/basket.ts';
import type { PaidWith, ReceivedAmount } from '../../domain/baskets/checkout.ts';
import { chargeKey, chargeOwnerOfBasket } from '../../domain/payments/charge-key.ts';
import { callProvider } from '../../payments/payments.ts';
import type { KnownCharge, PaymentProvider, PaymentState } from '../../payments/provider.ts';
import type { CheckoutDeps } from '../deps.ts';

/** What the payment of a checkout means for its basket. */
export type PaymentVerdict =
  | ({ readonly verdict: 'paid' } & PaidWith)
  /** The buyer has not paid yet, and still can. */
  | { readonly verdict: 'waiting' }
  | { readonly verdict: 'processing' }
  /** Not paid. It has to be cancelled if the provider has not done so: another try of the buyer could still succeed. */
  | { readonly verdict: 'unpaid'; readonly message: string | null }
  /** Paid, but not what the basket costs. It becomes no order, and is refunded. */
  | { readonly verdict: 'mismatch'; readonly received: ReceivedAmount }
  /** The payment of another basket or organisation. It is not ours to cancel or to refund. */
  | { readonly verdict: 'foreign' };

/** Compares a payment with the checkout that it was made for. */
function evaluatePayment(
  { orgId, basket, checkout }: { readonly orgId: string; readonly basket: Basket; readonly checkout: Checkout },
  payment: PaymentState,
): PaymentVerdict {
  const { status, amountMinor, currency, methodKind, method, declineMessage } = payment;
  const key = chargeKey(chargeOwnerOfBasket(basket), checkout.attempt);
  if (payment.orgId !== orgId || payment.key !== key) return { verdict: 'foreign' };
  const isExpected = amountMinor === checkout.amountMinor && currency === basket.currency;
  switch (status) {
    case 'succeeded':
      return isExpected
        ? { verdict: 'paid', methodKind, method }
        : { verdict: 'mismatch', received: { amountMinor, currency } };
    case 'processing':
      return { verdict: 'processing' };
    case 'failed':
      return { verdict: 'unpaid', message: declineMessage };
    default: {
      // With a payment method of the organisation, a second try needs a second checkout. On a page the buyer tries again.
      const canStillPay = status === 'requires_action' || isPrepared(checkout);
      return isExpected && canStillPay ? { verdict: 'waiting' } : { verdict: 'unpaid', message: declineMessage };
    }
  }
}

/** The payment of a checkout, with its provider and what it means. */
export interface EvaluatedPayment {
  readonly evaluation: PaymentVerdict;
  readonly payment: PaymentState;
  readonly provider: PaymentProvider;
}

/** Asks the provider for a payment and evaluates it. Changes nothing. */
export function retrievePayment(
  deps: CheckoutDeps,
  basket: Basket,
  checkout: Checkout,
): Promise<EvaluatedPayment | 'unknown'> {
  return askAndEvaluate(deps, basket, checkout, (provider, charge, signal) => provider.retrieve(charge, signal));
}

/** Cancels a payment that is not paid, and evaluates what it is after that. */
export function cancelPayment(
  deps: CheckoutDeps,
  basket: Basket,
  checkout: Checkout,
): Promise<EvaluatedPayment | 'unknown'> {
  return askAndEvaluate(deps, basket, checkout, (provider, charge, signal) => provider.cancel(charge, signal));
}

/** Neither call moves money, and a checkout may need both before it pays. */
const askShare = 0.5;

async function askAndEvaluate(
  { orgId, payments }: CheckoutDeps,
  basket: Basket,
  checkout: Checkout,
  ask: (provider: PaymentProvider, charge: KnownCharge, signal: AbortSignal) => Promise<PaymentState>,
): Promise<EvaluatedPayment | 'unknown'> {
  const { charge, attempt } = checkout;
  if (charge === null) return 'unknown';
  const { chargeId, account } = charge;
  const provider = await payments.byName(charge.provider);
  const known = { orgId, account, chargeId, key: chargeKey(chargeOwnerOfBasket(basket), attempt) };
  const timeoutMs = payments.timeoutMs * askShare;
  const payment = await callProvider(provider, timeoutMs, (api, signal) => ask(api, known, signal));
  if (payment === 'unknown' || provider === undefined) return 'unknown';
  return { evaluation: evaluatePayment({ orgId, basket, checkout }, payment), payment, provider };
}
