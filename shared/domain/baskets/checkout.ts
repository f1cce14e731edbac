import { type EventRecord, eventOffSaleReason } from '../events/event.ts';
import type { Basket, BasketBuyer, BasketCustomer, BasketPayment, ChargeReference, Checkout } from './basket.ts';
import { type Decision, notOpenReason, refused, releaseBasket } from './changes.ts';
import { basketAmounts } from './money.ts';

/** Longer than the timeout of the checkout function: after the lease, that function has finished or crashed. */
export const checkoutLeaseSeconds = 30;

export interface CheckoutRequest {
  readonly buyer: BasketBuyer;
  readonly paymentMethod: string | null;
  readonly account: string | null;
  readonly needsAccount: boolean;
  readonly requestId: string | null;
}

/** What a checkout is decided by, besides the basket and the request. It is read at the time of the checkout. */
export interface CheckoutFacts {
  /** The event of the basket; undefined if it does not exist any more. */
  readonly event: Pick<EventRecord, 'statusId' | 'startUnix'> | undefined;
  /** The membership types of which the buyer is a paid member. */
  readonly paidTypes: ReadonlySet<number>;
}

/** Returns the membership types of which the buyer must be a paid member. */
export function requiredMembershipTypes({ lines }: Basket): readonly number[] {
  const types = lines.flatMap(({ membershipTypeId }) => (membershipTypeId === null ? [] : [membershipTypeId]));
  return [...new Set(types)];
}

/** Claims the basket for one payment. From now on it does not expire until the outcome of the payment is known. */
export function beginCheckout(
  basket: Basket,
  request: CheckoutRequest,
  { event, paidTypes }: CheckoutFacts,
  nowUnix: number,
): Decision {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  if (basket.lines.length === 0) return refused(basket, { reason: 'empty' });
  const [because] = basket.lines.flatMap((line) => eventOffSaleReason(event, line, nowUnix) ?? []);
  if (because !== undefined) return refused(basket, { reason: 'event_not_on_sale', because, during: 'checkout' });
  if (!requiredMembershipTypes(basket).every((type) => paidTypes.has(type))) {
    return refused(basket, { reason: 'membership_required' });
  }
  const { totalMinor: amountMinor } = basketAmounts(basket.lines);
  const { buyer, paymentMethod, account, needsAccount, requestId } = request;
  const isFree = amountMinor === 0;
  if (!isFree && paymentMethod === null) return refused(basket, { reason: 'payment_method_missing' });
  if (!isFree && needsAccount && account === null) return refused(basket, { reason: 'payment_account_missing' });
  const attempt = basket.attempts + 1;
  const checkout: Checkout = {
    buyer,
    erasedUserId: null,
    paymentMethod: isFree ? null : paymentMethod,
    account,
    attempt,
    startedUnix: nowUnix,
    leaseUntilUnix: nowUnix + checkoutLeaseSeconds,
    amountMinor,
    charge: null,
    isPaid: isFree,
    requestId,
  };
  return { outcome: 'changed', basket: { ...basket, status: 'checking_out', attempts: attempt, checkout } };
}

/**
 * Changes the checkout of one attempt. It is refused if another process has taken over or ended the checkout in the meantime,
 * so that two processes never handle the same payment.
 */
function changeCheckout(basket: Basket, attempt: number, change: (checkout: Checkout) => Decision): Decision {
  const { status, checkout } = basket;
  if (status === 'checking_out' && checkout?.attempt === attempt) return change(checkout);
  return refused(basket, { reason: status === 'checked_out' ? status : 'taken_over' });
}

/** Records the charge before money can move. */
export function recordCharge(basket: Basket, attempt: number, charge: ChargeReference): Decision {
  return changeCheckout(basket, attempt, (checkout) => ({
    outcome: 'changed',
    basket: { ...basket, checkout: { ...checkout, charge } },
  }));
}

export function markPaid(basket: Basket, attempt: number): Decision {
  return changeCheckout(basket, attempt, (checkout) =>
    checkout.isPaid
      ? { outcome: 'unchanged', basket }
      : { outcome: 'changed', basket: { ...basket, checkout: { ...checkout, isPaid: true } } },
  );
}

/** After a declined payment the basket is open again with all its items; expired if its time is over or its buyer was erased. */
export function reopenBasket(basket: Basket, attempt: number, nowUnix: number): Decision {
  return changeCheckout(basket, attempt, (checkout) => {
    if (checkout.isPaid) return refused(basket, { reason: 'checked_out' });
    return nowUnix >= basket.expiresUnix || checkout.buyer === null
      ? releaseBasket(basket, 'expired')
      : { outcome: 'changed', basket: { ...basket, status: 'open', checkout: null } };
  });
}

/**
 * Takes the buyer out of a basket. A checkout in progress continues without the buyer's data, because the payment may have
 * been made. An open basket is cancelled. A basket that another buyer is checking out does not change.
 */
export function eraseBasketBuyer(
  basket: Basket,
  { userId, isPerson }: { userId: number; isPerson: (buyer: BasketBuyer) => boolean },
): Decision {
  const { status, checkout } = basket;
  if (status === 'open') return releaseBasket(basket, 'cancelled');
  const buyer = status === 'checking_out' ? checkout?.buyer : undefined;
  if (!checkout || !buyer || !isPerson(buyer)) return { outcome: 'unchanged', basket };
  const erased: Checkout = { ...checkout, buyer: null, erasedUserId: userId };
  return { outcome: 'changed', basket: { ...basket, checkout: erased } };
}

/** Takes over a checkout whose lease has ended. */
export function takeOverCheckout(basket: Basket, nowUnix: number): Decision {
  const { checkout } = basket;
  if (basket.status !== 'checking_out' || checkout === null) return { outcome: 'unchanged', basket };
  const { leaseUntilUnix } = checkout;
  if (nowUnix < leaseUntilUnix) return refused(basket, { reason: 'checking_out', leaseUntilUnix });
  return {
    outcome: 'changed',
    basket: { ...basket, checkout: { ...checkout, leaseUntilUnix: nowUnix + checkoutLeaseSeconds } },
  };
}

/** A provider that has not responded for hours is not asked every minute. The maximum is short enough not to delay an alarm. */
const minPauseSeconds = 60;
const maxPauseSeconds = 900;

/** The pause is as long as the checkout has taken so far, within the limits. */
export function retryPauseSeconds(ageSeconds: number): number {
  return Math.min(maxPauseSeconds, Math.max(minPauseSeconds, ageSeconds));
}

/**
 * Returns when the sweeper checks the outcome of a checkout: first at the end of its lease, then less and less often. It is
 * derived from the row alone, so that all writers of a hint for it write the same one.
 */
export function settleDueUnix({ startedUnix, leaseUntilUnix }: Checkout): number {
  const takenUnix = leaseUntilUnix - checkoutLeaseSeconds;
  return takenUnix === startedUnix ? leaseUntilUnix : takenUnix + retryPauseSeconds(takenUnix - startedUnix);
}

/** Returns the basket of a completed order. Names and addresses are only in the order from then on. */
export function checkedOut(basket: Basket, { userId, orgCustomerId }: BasketCustomer): Basket {
  const { checkout } = basket;
  const payment = checkout === null ? null : paymentOf(basket, checkout);
  return { ...basket, status: 'checked_out', checkout: null, payment, customer: { userId, orgCustomerId } };
}

function paymentOf({ currency }: Basket, { charge, paymentMethod, amountMinor }: Checkout): BasketPayment | null {
  return charge === null ? null : { ...charge, paymentMethod, amountMinor, currency: currency ?? '' };
}

/** Ends a checkout whose payment cannot become an order: the stock is returned, and a refund is recorded. */
export function abandonCheckout(basket: Basket, attempt: number, nowUnix: number): Decision {
  return changeCheckout(basket, attempt, (checkout) => {
    const ended = releaseBasket(basket, 'expired');
    const payment = paymentOf(basket, checkout);
    if (ended.outcome !== 'changed' || payment === null) return ended;
    const { amountMinor } = payment;
    const { requestId } = checkout;
    const refund = {
      number: 1,
      amountMinor,
      ticketIds: [],
      state: 'pending',
      startedUnix: nowUnix,
      requestId,
    } as const;
    return { ...ended, basket: { ...ended.basket, payment, refunds: [refund] } };
  });
}
