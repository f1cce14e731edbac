import { type EventOffSale, eventOffSaleReason } from '../events/event.ts';
import { type Basket, basketStatusAt, maxBasketStocks, maxBasketTickets } from './basket.ts';
import { basketTickets, lineTickets } from './line-item.ts';
import { lineOf, type Offer, type OffSale, offSaleReason, takesOf } from './offer.ts';
import { movesOf, type StockMove } from './stock-moves.ts';

/** Why a change of a basket is refused. A refused change writes nothing. */
export type BasketRefusal =
  | { readonly reason: 'expired' | 'cancelled' | 'checked_out' | 'empty' | 'not_in_basket' }
  /** A payment is in progress, until that second at the latest; or it waits for the buyer, if the second is past. */
  | { readonly reason: 'checking_out'; readonly leaseUntilUnix: number }
  /** The payment took too long, and another process has taken over the checkout. */
  | { readonly reason: 'taken_over' }
  | { readonly reason: 'other_event' | 'other_currency' | 'too_many_stocks' }
  | { readonly reason: 'too_many_tickets'; readonly held: number; readonly wanted: number }
  | { readonly reason: 'not_on_sale'; readonly because: OffSale }
  | { readonly reason: 'event_not_on_sale'; readonly because: EventOffSale; readonly during: 'add' | 'checkout' }
  | { readonly reason: 'sold_out' }
  | { readonly reason: 'too_many_held'; readonly maxHeld: number | undefined }
  | { readonly reason: 'too_many_per_order'; readonly maxPerOrder: number }
  | { readonly reason: 'too_many_per_member'; readonly maxPerMember: number }
  | { readonly reason: 'membership_not_proven' | 'payment_method_missing' | 'payment_account_missing' }
  /** The basket is free, so there is no payment to prepare. */
  | { readonly reason: 'payment_not_needed' }
  /** The payment was prepared for another buyer. */
  | { readonly reason: 'other_buyer' };

export type Decision =
  | {
      readonly outcome: 'changed';
      readonly basket: Basket;
      readonly takes?: readonly StockMove[];
      readonly restock?: readonly StockMove[];
    }
  /** The basket is already in the requested state. */
  | { readonly outcome: 'unchanged'; readonly basket: Basket }
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal; readonly basket: Basket };

export function refused(basket: Basket, refusal: BasketRefusal): Decision {
  return { outcome: 'refused', refusal, basket };
}

/** Returns why a basket is not open; undefined if items may be added and removed, and a checkout may begin. */
export function notOpenReason(basket: Basket, nowUnix: number): BasketRefusal | undefined {
  const status = basketStatusAt(basket, nowUnix);
  if (status === 'open') return undefined;
  return status === 'checking_out'
    ? { reason: status, leaseUntilUnix: basket.checkout?.leaseUntilUnix ?? nowUnix }
    : { reason: status };
}

/** Returns why the items of an offer cannot be added now, however many they are; undefined if they can. */
function saleRefusal(basket: Basket, offer: Offer, nowUnix: number): BasketRefusal | undefined {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return notOpen;
  const { event, price } = offer;
  if (basket.eventId !== null && basket.eventId !== event.eventId) return { reason: 'other_event' };
  if (basket.currency !== null && basket.currency !== event.currency) return { reason: 'other_currency' };
  const eventOffSale = eventOffSaleReason(event, price, nowUnix);
  if (eventOffSale !== undefined) return { reason: 'event_not_on_sale', because: eventOffSale, during: 'add' };
  const because = offSaleReason(offer, nowUnix);
  return because && { reason: 'not_on_sale', because };
}

export function addToBasket(basket: Basket, offer: Offer, quantity: number, nowUnix: number): Decision {
  const refusal = saleRefusal(basket, offer, nowUnix);
  if (refusal !== undefined) return refused(basket, refusal);
  const { event, price } = offer;
  const ofPrice = basket.lines.filter(({ priceId }) => priceId === price.priceId);
  // Items for named holders are a line of their own.
  const known = ofPrice.find(({ holders }) => holders.length === 0);
  const added = { ...(known ?? lineOf(offer, { lineId: basket.lastLineId + 1, quantity })), quantity };
  const held = basketTickets(basket.lines);
  const wanted = lineTickets(added);
  if (held + wanted > maxBasketTickets) return refused(basket, { reason: 'too_many_tickets', held, wanted });
  const { maxPerOrder } = price;
  const perOrder = ofPrice.reduce((sum, each) => sum + each.quantity, quantity);
  if (maxPerOrder !== null && perOrder > maxPerOrder) {
    return refused(basket, { reason: 'too_many_per_order', maxPerOrder });
  }
  const lines =
    known === undefined
      ? [...basket.lines, added]
      : basket.lines.map((each) => (each === known ? { ...known, quantity: known.quantity + quantity } : each));
  if (movesOf(event.eventId, lines).length > maxBasketStocks) return refused(basket, { reason: 'too_many_stocks' });
  const lastLineId = Math.max(basket.lastLineId, added.lineId);
  return {
    outcome: 'changed',
    basket: { ...basket, eventId: event.eventId, currency: event.currency, lines, lastLineId },
    takes: takesOf(offer, wanted),
  };
}

/** Removes all lines of a price from the basket. A basket without items belongs to no event. */
export function removeFromBasket(basket: Basket, priceId: number, nowUnix: number): Decision {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  const removed = basket.lines.filter((each) => each.priceId === priceId);
  if (removed.length === 0) return refused(basket, { reason: 'not_in_basket' });
  const lines = basket.lines.filter((each) => !removed.includes(each));
  return {
    outcome: 'changed',
    basket: { ...basket, lines, ...(lines.length === 0 && noEvent) },
    restock: movesOf(basket.eventId, removed),
  };
}

/** Cancelling a cancelled basket changes nothing; an expired one returns its stock if the sweeper has not done so yet. */
export function cancelBasket(basket: Basket, nowUnix: number): Decision {
  switch (basketStatusAt(basket, nowUnix)) {
    case 'open':
      return releaseBasket(basket, 'cancelled');
    case 'expired':
      return expireBasket(basket, nowUnix);
    case 'cancelled':
      return { outcome: 'unchanged', basket };
    default:
      return refused(basket, notOpenReason(basket, nowUnix) ?? { reason: 'checked_out' });
  }
}

/** Expires an open basket whose time is over. Every other basket is unchanged. */
export function expireBasket(basket: Basket, nowUnix: number): Decision {
  const isOver = basket.status === 'open' && nowUnix >= basket.expiresUnix;
  return isOver ? releaseBasket(basket, 'expired') : { outcome: 'unchanged', basket };
}

const noEvent = { eventId: null, currency: null } as const;

/** An ended basket has no items and no buyer. Its status changes in the same write, so its stock is returned exactly once. */
export function releaseBasket(basket: Basket, status: 'cancelled' | 'expired'): Decision {
  return {
    outcome: 'changed',
    basket: { ...basket, ...noEvent, status, lines: [], checkout: null, reservation: null },
    restock: movesOf(basket.eventId, basket.lines),
  };
}
