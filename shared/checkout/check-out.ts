import { type Basket, type BasketBuyer, type Checkout, isPrepared, isWaiting } from '../domain/baskets/basket.ts';
import type { BasketRefusal } from '../domain/baskets/changes.ts';
import { unixSeconds } from '../platform/clock.ts';
import { type Claimed, claimBasket } from './claim.ts';
import { completeOrder, readConfirmedOrder } from './complete-order.ts';
import type { BuyerProof, CheckoutDeps, Confirmed, OrderSideEffects } from './deps.ts';
import { pay, type Unpaid } from './pay.ts';
import { isAbandoned, isSameBuyer, isSameCheckout } from './same-request.ts';
import { settleCheckout } from './settle.ts';
import { verifyPayment } from './verify-payment.ts';

export interface CheckoutCommand extends BuyerProof {
  readonly basketId: number;
  readonly buyer: BasketBuyer;
  readonly paymentMethod: string | null;
  /** Where the buyer returns to, if the provider demands an action on a page of its own. */
  readonly returnUrl?: string | null;
}

/** Why a basket did not become an order. */
export type NotCheckedOut =
  | Unpaid
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal }
  | { readonly outcome: 'missing' };

export type CheckedOut = Confirmed | NotCheckedOut;

/**
 * Checks out a basket: claims it for one payment, pays, and creates the order. Only one of several concurrent requests
 * succeeds. A payment that waits for the buyer is verified when the same request is sent again. A checkout that a crash
 * interrupted, or that a different request began, is settled first, as the sweeper does. A repeated request gets the order.
 */
export async function checkOut(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  const nowUnix = unixSeconds(deps.clock);
  const claim = await claimBasket(deps, command, 'checkout');
  const { claimed } = claim;
  if (claimed.outcome !== 'refused' || !isAbandoned(claimed.basket, nowUnix)) {
    return payAndComplete(deps, command, claim, sideEffects);
  }
  const { basket } = claimed;
  const { checkout } = basket;
  if (checkout !== null && isVerifiable(checkout, command, nowUnix)) {
    if (!isSameCheckout(checkout, command)) {
      return { outcome: 'refused', refusal: { reason: 'other_buyer' } };
    }
    return verifyPayment(deps, { basket, checkout }, sideEffects);
  }
  const settled = await settleAbandoned(deps, command, basket, sideEffects);
  return settled ?? payAndComplete(deps, command, await claimBasket(deps, command, 'checkout'), sideEffects);
}

/**
 * Whether the request is about the payment that waits for the buyer. For a request with a payment method, the buyer is part of
 * what makes it the same; with another buyer it is another purchase.
 */
function isVerifiable(checkout: Checkout, command: CheckoutCommand, nowUnix: number): boolean {
  if (checkout.isPaid || !isWaiting(checkout, nowUnix) || nowUnix >= (checkout.waitUntilUnix ?? 0)) return false;
  if (checkout.paymentMethod !== command.paymentMethod) return false;
  return isPrepared(checkout) || isSameCheckout(checkout, command);
}

async function payAndComplete(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  { claimed, presentation, event }: Claimed,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  if (claimed.outcome === 'missing') return claimed;
  if (claimed.outcome === 'refused') return (await findRepeatedOrder(deps, command, claimed.basket)) ?? claimed;
  const { basket } = claimed;
  const { checkout } = basket;
  const returnUrl = command.returnUrl ?? null;
  const paid = checkout === null ? takenOver : await pay(deps, { basket, checkout, presentation, returnUrl });
  if (paid.outcome === 'paid') {
    return completeOrder(deps, paid.basket, sideEffects, { event, customer: paid.customer });
  }
  return paid.outcome === 'taken_over' ? { outcome: 'refused', refusal: { reason: paid.outcome } } : paid;
}

/** The order, if the same request created it before: a client that repeats a request did not receive its response. */
async function findRepeatedOrder(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  basket: Basket,
): Promise<Confirmed | undefined> {
  if (basket.status !== 'checked_out') return undefined;
  const confirmed = await readConfirmedOrder(deps, basket);
  const { order } = confirmed.placed;
  const paymentMethod = basket.payment?.paymentMethod ?? null;
  const isSame =
    isSamePayment({ paymentMethod, amountMinor: order.totalMinor }, command) &&
    isSameBuyer(order, command.buyer) &&
    (command.signedIn?.userId ?? order.userId) === order.userId;
  return isSame ? confirmed : undefined;
}

const takenOver = { outcome: 'taken_over' } as const;

/**
 * Settles an interrupted checkout. Returns the outcome for this request: the order, if the earlier request was the same and
 * was paid, or payment_unknown. Undefined when the basket may be open again, or became the order of a different request.
 */
async function settleAbandoned(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  { basketId, checkout }: Basket,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut | undefined> {
  const isSame = checkout !== null && isSamePayment(checkout, command) && isSameCheckout(checkout, command);
  const settled = await settleCheckout(deps, basketId, isSame ? sideEffects : () => []);
  if (settled.outcome === 'unknown') return { outcome: 'payment_unknown' };
  if (settled.outcome === 'payment_mismatch') return settled;
  return settled.outcome === 'confirmed' && isSame ? settled : undefined;
}

/** The payment method of a free order is not stored. */
function isSamePayment(
  first: Pick<Checkout, 'paymentMethod' | 'amountMinor'>,
  { paymentMethod }: CheckoutCommand,
): boolean {
  return first.amountMinor === 0 || first.paymentMethod === paymentMethod;
}
