import { type Basket, type BasketBuyer, isPayable, isPrepared, isWaiting } from '../../domain/baskets/basket.ts';
import { isReceivedEnough, type RequestedTender } from '../../domain/orders/tender.ts';
import type { PaymentChoice } from '../../domain/plans/payment-choice.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { BuyerProof, CheckoutDeps, OrderSideEffects } from '../deps.ts';
import { type ClaimOutcome, claimBasket, type EarlierCheckout, earlierCheckout } from './claim.ts';
import { completeOrder, readConfirmedOrder } from './complete-order.ts';
import type { CheckedOut, Confirmed } from './outcomes.ts';
import { type OffSession, pay } from './pay.ts';
import { isSameCheckout, isSameCustomer, isSameOption, isSamePayment } from './same-request.ts';
import { settleCheckout } from './settle.ts';
import { verifyPayment } from './verify-payment.ts';

export interface CheckoutCommand extends BuyerProof {
  readonly basketId: number;
  /** Null if a tender names nobody. */
  readonly buyer: BasketBuyer | null;
  readonly paymentMethod: string | null;
  readonly payment?: PaymentChoice | undefined;
  /** How the staff of a counter take the money, in place of a payment. */
  readonly tender?: RequestedTender | undefined;
  /** The buyer is not there: the saved method of this customer at the provider is charged. */
  readonly offSession?: OffSession | undefined;
  /** Where the buyer returns to, if the provider demands an action on a page of its own. */
  readonly returnUrl?: string | null;
}

/** Checks out a basket. Only one of several concurrent requests claims it. A repeated request gets the order of the first. */
export async function checkOut(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  const nowUnix = unixSeconds(deps.clock);
  const claim = await claimBasket(deps, command, 'checkout');
  const earlier = earlierCheckout(claim, nowUnix);
  if (earlier === undefined) return checkOutNew(deps, command, claim, sideEffects);
  if (command.tender !== undefined && isPayable(earlier.checkout, nowUnix)) return preparedAlready;
  return isAboutWaitingPayment(earlier, command, nowUnix)
    ? checkOutWaiting(deps, command, earlier, sideEffects)
    : checkOutAbandoned(deps, command, earlier, sideEffects);
}

/**
 * New: no earlier payment is in the way. A claimed basket is paid for and becomes the order. One that cannot be claimed may already
 * be the order of this same request; otherwise the outcome says why.
 */
async function checkOutNew(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  claim: ClaimOutcome,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  if (claim.outcome === 'missing') return claim;
  if (claim.outcome === 'refused') return (await findRepeatedOrder(deps, command, claim.basket)) ?? claim;
  const { returnUrl = null, offSession } = command;
  const paid = await pay(deps, { ...claim, returnUrl, offSession });
  if (paid.outcome !== 'paid') return paid;
  return completeOrder(deps, paid.basket, sideEffects, paid.customer);
}

/** Waiting: an earlier request began the payment, and the buyer had to act. It is verified. */
async function checkOutWaiting(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  earlier: EarlierCheckout,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  if (!isSameCheckout(earlier.checkout, command)) return { outcome: 'refused', refusal: { reason: 'other_buyer' } };
  return verifyPayment(deps, earlier, sideEffects);
}

/**
 * Abandoned: the process of an earlier request has crashed, or that request wanted another payment. It is settled as the sweeper
 * would. If it was this same request and was paid, its order is the result. Otherwise the basket is checked out as a new one.
 */
async function checkOutAbandoned(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  { basket, checkout }: EarlierCheckout,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  const costs = { totalMinor: checkout.amountMinor, currency: basket.currency ?? '' };
  const isSame =
    isSamePayment(checkout, command) && isReceivedEnough(command.tender, costs) && isSameCheckout(checkout, command);
  const settled = await settleCheckout(deps, basket.basketId, isSame ? sideEffects : () => []);
  if (settled.outcome === 'unknown') return { outcome: 'payment_unknown' };
  if (settled.outcome === 'payment_mismatch') return settled;
  if (settled.outcome === 'confirmed' && isSame) return settled;
  return checkOutNew(deps, command, await claimBasket(deps, command, 'checkout'), sideEffects);
}

const preparedAlready = { outcome: 'refused', refusal: { reason: 'tender_with_payment' } } as const;

/**
 * Whether the request is about the payment that waits for the buyer. For a request with a payment method, the buyer is part of
 * what makes it the same; with another buyer it is another purchase.
 */
function isAboutWaitingPayment({ checkout }: EarlierCheckout, command: CheckoutCommand, nowUnix: number): boolean {
  if (checkout.isPaid || !isWaiting(checkout, nowUnix) || nowUnix >= (checkout.waitUntilUnix ?? 0)) return false;
  if (checkout.paymentMethod !== command.paymentMethod) return false;
  // The request that verifies a prepared payment need not repeat how it is paid.
  const isOptionNamed = !isPrepared(checkout) || (command.payment?.optionId ?? null) !== null;
  if (isOptionNamed && !isSameOption(checkout, command)) return false;
  return isPrepared(checkout) || isSameCheckout(checkout, command);
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
    isSamePayment({ paymentMethod, amountMinor: order.totalMinor, tender: order.tender }, command) &&
    isReceivedEnough(command.tender, order) &&
    isSameCustomer(order, command.buyer) &&
    (command.signedIn?.userId ?? order.userId) === order.userId;
  return isSame ? confirmed : undefined;
}
