import { type BasketRule, changeBasket } from '../../data/baskets/baskets.ts';
import { buyerPointerPuts } from '../../data/baskets/buyers.ts';
import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import {
  abandonCheckout,
  markPaid,
  reopenBasket,
  settleDueUnix,
  takeOverCheckout,
} from '../../domain/baskets/checkout.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { alertOperator } from '../alert-operator.ts';
import type { CheckoutDeps, OrderSideEffects } from '../deps.ts';
import { completeOrder } from './complete-order.ts';
import { cancelPayment, type PaymentVerdict, retrievePayment } from './evaluate-payment.ts';
import type { Confirmed } from './outcomes.ts';

type Unsettled =
  /** The charge was not paid and never will be. The basket is open again, or expired. */
  | { readonly outcome: 'reopened'; readonly message: string | null }
  /** The payment is not what the basket costs. It is refunded, and the basket has expired. */
  | { readonly outcome: 'payment_mismatch' }
  /** The provider does not know the outcome yet. */
  | { readonly outcome: 'unknown' }
  /** There is nothing to settle, or another request holds the lease. */
  | { readonly outcome: 'left_alone'; readonly basket: Basket | undefined };

export type SettledPayment = { readonly outcome: 'paid'; readonly basket: Basket } | Unsettled;
export type SettledCheckout = Confirmed | Unsettled;

/** Settles a checkout whose lease has expired: a paid one becomes an order, an unpaid one becomes an open basket again. */
export async function settleCheckout(
  deps: CheckoutDeps,
  basketId: number,
  sideEffects: OrderSideEffects,
): Promise<SettledCheckout> {
  const settled = await settlePayment(deps, basketId);
  if (settled.outcome !== 'paid') return settled;
  const completed = await completeOrder(deps, settled.basket, sideEffects);
  return completed.outcome === 'confirmed' ? completed : { outcome: 'left_alone', basket: undefined };
}

/**
 * Settles the payment of a checkout whose lease has expired: a payment that is not paid is cancelled at the provider before
 * the basket changes. A paid one is recorded. Its order is made by settleCheckout, or later by the sweeper.
 */
export async function settlePayment(deps: CheckoutDeps, basketId: number): Promise<SettledPayment> {
  const { table, orgId, clock } = deps;
  const takeOver: BasketRule = {
    orgId,
    basketId,
    decide: (basket) => takeOverCheckout(basket, unixSeconds(clock)),
    recheckTimes: ({ checkout }) => (checkout === null ? [] : [settleDueUnix(checkout)]),
  };
  const takenOver = await changeBasket(table, takeOver, await buyerPointerPuts(table, orgId));
  if (takenOver.outcome === 'missing') return { outcome: 'left_alone', basket: undefined };
  const { basket } = takenOver;
  if (takenOver.outcome !== 'changed') return { outcome: 'left_alone', basket };
  if (basket.checkout === null) return { outcome: 'reopened', message: null };
  return recordSettlement(deps, basket, basket.checkout);
}

async function recordSettlement(deps: CheckoutDeps, basket: Basket, checkout: Checkout): Promise<SettledPayment> {
  const { table, orgId, clock } = deps;
  const { basketId } = basket;
  const { attempt } = checkout;
  const nowUnix = unixSeconds(clock);
  const evaluation = await settleCharge(deps, basket, checkout);
  switch (evaluation.verdict) {
    case 'paid': {
      const decide = (current: Basket) => markPaid(current, attempt, evaluation);
      const marked = await changeBasket(table, { orgId, basketId, known: basket, decide });
      return marked.outcome === 'missing'
        ? { outcome: 'left_alone', basket: undefined }
        : { outcome: 'paid', basket: marked.basket };
    }
    case 'mismatch': {
      // No buyer can cause it: somebody changed the payment at the provider.
      alertOperator('PaymentMismatch', { orgId, basketId, chargeId: checkout.charge?.chargeId });
      const { received } = evaluation;
      const abandoned = await changeBasket(table, {
        orgId,
        basketId,
        decide: (current) => abandonCheckout(current, attempt, nowUnix, received),
        // The sweeper executes the refund.
        recheckTimes: () => [nowUnix],
      });
      return abandoned.outcome === 'changed' ? { outcome: 'payment_mismatch' } : { outcome: 'left_alone', basket };
    }
    case 'waiting':
    case 'processing':
      return { outcome: 'unknown' };
    case 'foreign':
      alertOperator('PaymentMismatch', { orgId, basketId, chargeId: checkout.charge?.chargeId });
      break;
    case 'unpaid':
      break;
  }
  const reopened = await changeBasket(table, {
    orgId,
    basketId,
    decide: (current) => reopenBasket(current, attempt, nowUnix),
  });
  const message = evaluation.verdict === 'unpaid' ? evaluation.message : null;
  return reopened.outcome === 'changed' ? { outcome: 'reopened', message } : { outcome: 'left_alone', basket };
}

/** The final outcome of the charge. `waiting` and `processing` mean that it is not known yet. */
async function settleCharge(deps: CheckoutDeps, basket: Basket, checkout: Checkout): Promise<PaymentVerdict> {
  const { methodKind, plan } = checkout;
  if (checkout.isPaid) return { verdict: 'paid', methodKind, method: plan?.savedMethod ?? null };
  // The payment of another basket must not be cancelled.
  const found = await retrievePayment(deps, basket, checkout);
  if (found === 'unknown') return { verdict: 'processing' };
  const { evaluation, payment } = found;
  if (payment.status === 'succeeded' || evaluation.verdict === 'foreign') return evaluation;
  // Also if it is shown as failed: one contradictory answer must not separate a paid charge from its basket. The response to
  // the cancellation decides.
  const cancelled = await cancelPayment(deps, basket, checkout);
  if (cancelled === 'unknown') return { verdict: 'processing' };
  const { status } = cancelled.payment;
  if (status === 'succeeded') return cancelled.evaluation;
  if (status !== 'failed') return { verdict: 'processing' };
  return { verdict: 'unpaid', message: payment.declineMessage };
}
