import { changeBasket } from '../../data/baskets/baskets.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { markPaid } from '../../domain/baskets/checkout.ts';
import { paymentResource } from '../../mappers/payment.ts';
import type { CheckoutDeps, OrderSideEffects } from '../deps.ts';
import type { EarlierCheckout } from './claim.ts';
import { completeOrder } from './complete-order.ts';
import { retrievePayment } from './evaluate-payment.ts';
import { type CheckedOut, takenOver } from './outcomes.ts';
import { settleCheckout } from './settle.ts';

/**
 * Verifies a payment that waits for the buyer. A paid one becomes the order, which needs no lease: every step can be repeated,
 * and the order has the id of the basket. One that the buyer can still pay stays as it is.
 */
export async function verifyPayment(
  deps: CheckoutDeps,
  { basket, checkout }: EarlierCheckout,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  const { table, orgId } = deps;
  const { basketId } = basket;
  const found = await retrievePayment(deps, basket, checkout);
  if (found === 'unknown') return { outcome: 'payment_unknown' };
  const { evaluation, payment, provider } = found;
  const account = checkout.charge?.account ?? null;
  switch (evaluation.verdict) {
    case 'paid': {
      const decide = (current: Basket) => markPaid(current, checkout.attempt, evaluation);
      const marked = await changeBasket(table, { orgId, basketId, known: basket, decide });
      if (marked.outcome === 'missing') return marked;
      // The sweeper may have been first. Then the order exists.
      if (marked.outcome === 'refused' && marked.refusal.reason !== 'checked_out') return marked;
      return completeOrder(deps, marked.basket, sideEffects);
    }
    case 'waiting':
      return { outcome: 'action_required', payment: paymentResource({ provider, account, payment }) };
    case 'processing':
      return { outcome: 'payment_unknown' };
    case 'unpaid':
    case 'mismatch':
    case 'foreign':
      return settleUnusable(deps, basketId, sideEffects);
  }
}

/** The payment can no longer become an order: it is cancelled or refunded, and the basket is open again or expired. */
async function settleUnusable(
  deps: CheckoutDeps,
  basketId: number,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  const settled = await settleCheckout(deps, basketId, sideEffects);
  switch (settled.outcome) {
    case 'confirmed':
    case 'payment_mismatch':
      return settled;
    case 'unknown':
      return { outcome: 'payment_unknown' };
    case 'reopened':
      return { outcome: 'declined', message: settled.message ?? 'The payment failed or was cancelled.' };
    case 'left_alone':
      return takenOver;
  }
}
