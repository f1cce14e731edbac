import { type EventOffSale, type EventRecord, eventOffSaleReason, isInCatalogue } from '../events/event.ts';
import { isPriceInCatalogue, type PriceCategoryRecord, type PriceRecord } from '../prices/price.ts';
import { type Basket, basketStatusAt, basketTickets, maxBasketPrices, maxBasketTickets } from './basket.ts';
import type { LineItem } from './line-item.ts';

/** Tickets of one price that a change takes out of the stock or returns to it. */
export interface StockMove {
  readonly eventId: number;
  readonly index: number;
  readonly tickets: number;
  /** How many slices the stock of the price has at least. */
  readonly slices: number;
}

/** Why a change of a basket is refused. A refused change writes nothing. */
export type BasketRefusal =
  | { readonly reason: 'expired' | 'cancelled' | 'checked_out' | 'empty' | 'not_in_basket' }
  /** A payment is in progress, until that second at the latest; or it waits for the buyer, if the second is past. */
  | { readonly reason: 'checking_out'; readonly leaseUntilUnix: number }
  /** The payment took too long, and another process has taken over the checkout. */
  | { readonly reason: 'taken_over' }
  | { readonly reason: 'other_event' | 'too_many_prices' }
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

export type OffSale = 'reserved_seating' | 'inactive' | 'not_sold_online' | 'not_yet' | 'no_longer';

export type Decision =
  | {
      readonly outcome: 'changed';
      readonly basket: Basket;
      readonly take?: StockMove;
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

/** A price with its event and category, which decide whether it is on sale. */
export interface Offer {
  readonly event: EventRecord;
  readonly category: PriceCategoryRecord;
  readonly price: PriceRecord;
}

/** Whether everyone may know of the offer. To a storefront token, any other price looks like a missing one. */
export function isOfferInCatalogue({ event, category, price }: Offer): boolean {
  return isInCatalogue(event) && isPriceInCatalogue(price, category);
}

/** Returns why a price cannot be added to a basket now; undefined if it can. */
function offSaleReason({ event, category, price }: Offer, nowUnix: number): OffSale | undefined {
  const { availableFromUnix: from, availableUntilUnix: until } = price;
  if (event.reservedSeating) return 'reserved_seating';
  if (price.status !== 'active' || category.status !== 'active') return 'inactive';
  if (!price.showOnline) return 'not_sold_online';
  if (from !== null && nowUnix < from) return 'not_yet';
  return until !== null && nowUnix >= until ? 'no_longer' : undefined;
}

export function addToBasket(basket: Basket, offer: Offer, quantity: number, nowUnix: number): Decision {
  const { event, price } = offer;
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  if (basket.eventId !== null && basket.eventId !== event.eventId) return refused(basket, { reason: 'other_event' });
  const eventOffSale = eventOffSaleReason(event, price, nowUnix);
  if (eventOffSale !== undefined) {
    return refused(basket, { reason: 'event_not_on_sale', because: eventOffSale, during: 'add' });
  }
  const because = offSaleReason(offer, nowUnix);
  if (because !== undefined) return refused(basket, { reason: 'not_on_sale', because });
  const line = basket.lines.find(({ priceId }) => priceId === price.priceId) ?? emptyLine(offer);
  const held = basketTickets(basket.lines);
  const wanted = quantity * line.ticketsIncluded;
  if (held + wanted > maxBasketTickets) return refused(basket, { reason: 'too_many_tickets', held, wanted });
  const more = { ...line, quantity: line.quantity + quantity };
  const { maxPerOrder } = price;
  if (maxPerOrder !== null && more.quantity > maxPerOrder) {
    return refused(basket, { reason: 'too_many_per_order', maxPerOrder });
  }
  const lines = basket.lines.includes(line)
    ? basket.lines.map((each) => (each === line ? more : each))
    : [...basket.lines, more];
  if (lines.length > maxBasketPrices) return refused(basket, { reason: 'too_many_prices' });
  return {
    outcome: 'changed',
    basket: { ...basket, eventId: event.eventId, currency: event.currency, lines },
    take: { eventId: event.eventId, index: line.priceIndex, tickets: wanted, slices: price.stockSlices },
  };
}

function emptyLine({ category, price }: Offer): LineItem {
  return {
    priceId: price.priceId,
    priceIndex: price.index,
    title: price.title,
    categoryId: category.categoryId,
    categoryTitle: category.title,
    quantity: 0,
    ticketsIncluded: price.ticketsIncluded,
    faceMinor: price.priceMinor,
    rebateMinor: price.rebateMinor,
    serviceFeeMinor: price.serviceFeeMinor,
    serviceTaxMinor: price.serviceTaxMinor,
    membershipTypeId: price.membershipTypeId,
    maxPerMember: price.maxPerMember,
    availableUntilUnix: price.availableUntilUnix,
    stockSlices: price.stockSlices,
  };
}

/** Removes all items of a price from the basket. A basket without items belongs to no event. */
export function removeFromBasket(basket: Basket, priceId: number, nowUnix: number): Decision {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  const line = basket.lines.find((each) => each.priceId === priceId);
  if (line === undefined) return refused(basket, { reason: 'not_in_basket' });
  const lines = basket.lines.filter((each) => each !== line);
  return {
    outcome: 'changed',
    basket: { ...basket, lines, ...(lines.length === 0 && noEvent) },
    restock: movesOf(basket, [line]),
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
    restock: movesOf(basket, basket.lines),
  };
}

function movesOf({ eventId }: Basket, lines: readonly LineItem[]): StockMove[] {
  if (eventId === null) return [];
  return lines.map(({ priceIndex: index, quantity, ticketsIncluded, stockSlices: slices }) => ({
    eventId,
    index,
    tickets: quantity * ticketsIncluded,
    slices,
  }));
}
