import type { Basket, BasketBuyer, BasketCustomer, ChargeReference, Checkout } from './basket.ts';
import { type Decision, refused, released, whyNotOpen } from './changes.ts';
import { basketAmounts } from './money.ts';

/** Longer than the function of a checkout runs: whoever comes after that finds the first one finished or dead. */
export const checkoutLeaseSeconds = 30;

export interface CheckoutRequest {
  readonly buyer: BasketBuyer;
  readonly paymentMethod: string | null;
  readonly account: string | null;
  readonly needsAccount: boolean;
}

/** The membership types that a basket's buyer must be a paid member of. */
export function memberTypesOf({ lines }: Basket): readonly number[] {
  const types = lines.flatMap(({ membershipTypeId }) => (membershipTypeId === null ? [] : [membershipTypeId]));
  return [...new Set(types)];
}

/** Claims the basket for one payment. From here on it is held, whatever the time, until somebody knows what became of it. */
export function beginCheckout(
  basket: Basket,
  request: CheckoutRequest,
  heldTypes: ReadonlySet<number>,
  nowUnix: number,
): Decision {
  const notOpen = whyNotOpen(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  if (basket.lines.length === 0) return refused(basket, { reason: 'empty' });
  if (!memberTypesOf(basket).every((type) => heldTypes.has(type))) {
    return refused(basket, { reason: 'membership_required' });
  }
  const { totalMinor: amountMinor } = basketAmounts(basket.lines);
  const { buyer, paymentMethod, account, needsAccount } = request;
  const isFree = amountMinor === 0;
  if (!isFree && paymentMethod === null) return refused(basket, { reason: 'payment_method_missing' });
  if (!isFree && needsAccount && account === null) return refused(basket, { reason: 'payment_account_missing' });
  const attempt = basket.attempts + 1;
  const checkout: Checkout = {
    buyer,
    paymentMethod: isFree ? null : paymentMethod,
    account,
    attempt,
    startedUnix: nowUnix,
    leaseUntilUnix: nowUnix + checkoutLeaseSeconds,
    amountMinor,
    charge: null,
    isPaid: isFree,
  };
  return { outcome: 'changed', basket: { ...basket, status: 'checking_out', attempts: attempt, checkout } };
}

/**
 * Changes the checkout of one attempt. Whoever is late, because somebody has taken the basket over or ended it meanwhile, is
 * refused: a payment is never the business of two.
 */
function inCheckout(basket: Basket, attempt: number, change: (checkout: Checkout) => Decision): Decision {
  const { status, checkout } = basket;
  if (status === 'checking_out' && checkout?.attempt === attempt) return change(checkout);
  return refused(basket, { reason: status === 'checked_out' ? status : 'taken_over' });
}

/** Written down before money can move. */
export function knowCharge(basket: Basket, attempt: number, charge: ChargeReference): Decision {
  return inCheckout(basket, attempt, (checkout) => ({
    outcome: 'changed',
    basket: { ...basket, checkout: { ...checkout, charge } },
  }));
}

export function markPaid(basket: Basket, attempt: number): Decision {
  return inCheckout(basket, attempt, (checkout) =>
    checkout.isPaid
      ? { outcome: 'unchanged', basket }
      : { outcome: 'changed', basket: { ...basket, checkout: { ...checkout, isPaid: true } } },
  );
}

/** After a definite no: the basket is open again with all that it holds, or over if its time has passed meanwhile. */
export function reopen(basket: Basket, attempt: number, nowUnix: number): Decision {
  return inCheckout(basket, attempt, (checkout) => {
    if (checkout.isPaid) return refused(basket, { reason: 'checked_out' });
    return nowUnix >= basket.expiresUnix
      ? released(basket, 'expired')
      : { outcome: 'changed', basket: { ...basket, status: 'open', checkout: null } };
  });
}

/** Takes over a checkout that nobody is at work on any more. */
export function takeOver(basket: Basket, nowUnix: number): Decision {
  const { checkout } = basket;
  if (basket.status !== 'checking_out' || checkout === null) return { outcome: 'unchanged', basket };
  const { leaseUntilUnix } = checkout;
  if (nowUnix < leaseUntilUnix) return refused(basket, { reason: 'checking_out', leaseUntilUnix });
  return {
    outcome: 'changed',
    basket: { ...basket, checkout: { ...checkout, leaseUntilUnix: nowUnix + checkoutLeaseSeconds } },
  };
}

/** What does not answer for hours is not asked every minute; and no hour is slept through after which somebody is called. */
const shortestPauseSeconds = 60;
const longestPauseSeconds = 900;

/** As long as it has taken so far. */
export function pauseAfter(ageSeconds: number): number {
  return Math.min(longestPauseSeconds, Math.max(shortestPauseSeconds, ageSeconds));
}

/**
 * When the sweeper shall see what became of a checkout: first when its lease has ended, then ever more rarely. It follows from
 * the row alone, so that everybody who writes a hint for it writes the same one.
 */
export function settleDueUnix({ startedUnix, leaseUntilUnix }: Checkout): number {
  const takenUnix = leaseUntilUnix - checkoutLeaseSeconds;
  return takenUnix === startedUnix ? leaseUntilUnix : takenUnix + pauseAfter(takenUnix - startedUnix);
}

/** The basket as it becomes with its order. Names and addresses are the order's business from then on. */
export function checkedOut(basket: Basket, { userId, orgCustomerId }: BasketCustomer): Basket {
  const { checkout } = basket;
  const payment =
    checkout?.charge === null || checkout === null ? null : { ...checkout.charge, amountMinor: checkout.amountMinor };
  return { ...basket, status: 'checked_out', checkout: null, payment, customer: { userId, orgCustomerId } };
}

/** A payment that cannot be made an order of is given back, and what was held with it. */
export function abandon(basket: Basket, attempt: number, nowUnix: number): Decision {
  return inCheckout(basket, attempt, ({ charge, amountMinor }) => {
    const ended = released(basket, 'expired');
    if (ended.outcome !== 'changed' || charge === null) return ended;
    const refund = { number: 1, amountMinor, ticketIds: [], state: 'pending', startedUnix: nowUnix } as const;
    return { ...ended, basket: { ...ended.basket, payment: { ...charge, amountMinor }, refunds: [refund] } };
  });
}
