import { withoutReason } from '../orders/tender.ts';
import type { Basket, BasketBuyer, Checkout } from './basket.ts';
import { type Decision, releaseBasket } from './changes.ts';
import { withoutHolders } from './holders.ts';
import { isCountedByAddress } from './person-limits.ts';

interface ErasedPerson {
  readonly userId: number;
  isPerson(checkout: Checkout, buyer: BasketBuyer): boolean;
  /** Whether a basket that is kept for this customer is kept for the person. */
  isLongHoldFor(customer: BasketBuyer): boolean;
}

/**
 * Takes a person out of a basket. A checkout in progress continues without the buyer's data, because the payment may have
 * been made. An open basket is cancelled. In a basket that another buyer is checking out, only whom it is kept for is erased.
 */
export function eraseBasketBuyer(basket: Basket, { userId, isPerson, isLongHoldFor }: ErasedPerson): Decision {
  const { status, checkout } = basket;
  if (status === 'open') return releaseBasket(basket, 'cancelled');
  if (status !== 'checking_out' || checkout === null) return { outcome: 'unchanged', basket };
  const isKept =
    basket.longHold !== null && basket.longHold.customer !== null && isLongHoldFor(basket.longHold.customer);
  const longHold = isKept ? { reason: null, customer: null } : basket.longHold;
  // Pairs of the organisation may say who the person is.
  const { metadata: _, ...kept } = basket;
  if (checkout.buyer === null || !isPerson(checkout, checkout.buyer)) {
    return isKept ? { outcome: 'changed', basket: { ...kept, longHold } } : { outcome: 'unchanged', basket };
  }
  // The reason of a complimentary order may name the buyer.
  const tender = checkout.tender && withoutReason(checkout.tender);
  const erased: Checkout = { ...checkout, tender, buyer: null, fan: null, erasedUserId: userId };
  const lines = withoutHolders(basket.lines);
  const personReservation = isCountedByAddress(basket) ? null : basket.personReservation;
  return { outcome: 'changed', basket: { ...kept, longHold, lines, personReservation, checkout: erased } };
}
