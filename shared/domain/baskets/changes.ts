import { type EventRecord, publishedStatus } from '../events/event.ts';
import type { PriceCategoryRecord, PriceRecord } from '../prices/price.ts';
import {
  type Basket,
  basketStatusAt,
  basketTickets,
  type LineItem,
  maxBasketPrices,
  maxBasketTickets,
} from './basket.ts';

/** Tickets of one price that a change takes out of the stock or gives back to it. */
export interface StockMove {
  readonly eventId: number;
  readonly index: number;
  readonly tickets: number;
}

/** Why a basket cannot be changed as it was asked to be. Nothing is. */
export type BasketRefusal =
  | { readonly reason: 'expired' | 'cancelled' | 'checked_out' | 'empty' | 'not_in_basket' }
  /** Somebody is paying for it, until that second at the latest. */
  | { readonly reason: 'checking_out'; readonly leaseUntilUnix: number }
  /** Whoever was paying for it took too long, and somebody else has decided what becomes of it. */
  | { readonly reason: 'taken_over' }
  | { readonly reason: 'other_event' | 'too_many_prices' }
  | { readonly reason: 'too_many_tickets'; readonly held: number; readonly wanted: number }
  | { readonly reason: 'not_on_sale'; readonly because: OffSale }
  | { readonly reason: 'sold_out' }
  | { readonly reason: 'membership_required' | 'payment_method_missing' | 'payment_account_missing' };

export type OffSale =
  | 'event_not_published'
  | 'reserved_seating'
  | 'inactive'
  | 'not_sold_online'
  | 'not_yet'
  | 'no_longer';

export type Decision =
  | {
      readonly outcome: 'changed';
      readonly basket: Basket;
      readonly take?: readonly StockMove[];
      readonly uncount?: readonly StockMove[];
    }
  /** It is already as it should be. */
  | { readonly outcome: 'unchanged'; readonly basket: Basket }
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal; readonly basket: Basket };

export function refused(basket: Basket, refusal: BasketRefusal): Decision {
  return { outcome: 'refused', refusal, basket };
}

/** Undefined when items may be added and taken away, and a checkout begun. */
export function whyNotOpen(basket: Basket, nowUnix: number): BasketRefusal | undefined {
  const status = basketStatusAt(basket, nowUnix);
  if (status === 'open') return undefined;
  return status === 'checking_out'
    ? { reason: status, leaseUntilUnix: basket.checkout?.leaseUntilUnix ?? nowUnix }
    : { reason: status };
}

/** A price with what decides whether it is on sale. */
export interface Offer {
  readonly event: EventRecord;
  readonly category: PriceCategoryRecord;
  readonly price: PriceRecord;
}

/** Why a price cannot be put into a basket now; undefined when it can. */
function whyOffSale({ event, category, price }: Offer, nowUnix: number): OffSale | undefined {
  const { availableFromUnix: from, availableUntilUnix: until } = price;
  if (event.statusId !== publishedStatus) return 'event_not_published';
  if (event.reservedSeating) return 'reserved_seating';
  if (price.status !== 'active' || category.status !== 'active') return 'inactive';
  if (!price.showOnline) return 'not_sold_online';
  if (from !== null && nowUnix < from) return 'not_yet';
  return until !== null && nowUnix >= until ? 'no_longer' : undefined;
}

export function addToBasket(basket: Basket, offer: Offer, quantity: number, nowUnix: number): Decision {
  const { event, price } = offer;
  const notOpen = whyNotOpen(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  if (basket.eventId !== null && basket.eventId !== event.eventId) return refused(basket, { reason: 'other_event' });
  const because = whyOffSale(offer, nowUnix);
  if (because !== undefined) return refused(basket, { reason: 'not_on_sale', because });
  const line = basket.lines.find(({ priceId }) => priceId === price.priceId) ?? noneOf(offer);
  const held = basketTickets(basket.lines);
  const wanted = quantity * line.ticketsIncluded;
  if (held + wanted > maxBasketTickets) return refused(basket, { reason: 'too_many_tickets', held, wanted });
  const more = { ...line, quantity: line.quantity + quantity };
  const lines = basket.lines.includes(line)
    ? basket.lines.map((each) => (each === line ? more : each))
    : [...basket.lines, more];
  if (lines.length > maxBasketPrices) return refused(basket, { reason: 'too_many_prices' });
  return {
    outcome: 'changed',
    basket: { ...basket, eventId: event.eventId, currency: event.currency, lines },
    take: [{ eventId: event.eventId, index: line.priceIndex, tickets: wanted }],
  };
}

function noneOf({ category, price }: Offer): LineItem {
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
  };
}

/** Takes all of a price out of the basket. Without items it belongs to no event any more. */
export function removeFromBasket(basket: Basket, priceId: number, nowUnix: number): Decision {
  const notOpen = whyNotOpen(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  const line = basket.lines.find((each) => each.priceId === priceId);
  if (line === undefined) return refused(basket, { reason: 'not_in_basket' });
  const lines = basket.lines.filter((each) => each !== line);
  return {
    outcome: 'changed',
    basket: { ...basket, lines, ...(lines.length === 0 && noEvent) },
    uncount: movesOf(basket, [line]),
  };
}

/** To cancel what is cancelled or expired already changes nothing. */
export function cancelBasket(basket: Basket, nowUnix: number): Decision {
  switch (basketStatusAt(basket, nowUnix)) {
    case 'open':
      return released(basket, 'cancelled');
    case 'expired':
      return expireBasket(basket, nowUnix);
    case 'cancelled':
      return { outcome: 'unchanged', basket };
    default:
      return refused(basket, whyNotOpen(basket, nowUnix) ?? { reason: 'checked_out' });
  }
}

/** What the sweeper does to a basket whose time is over; every other one stays as it is. */
export function expireBasket(basket: Basket, nowUnix: number): Decision {
  const isOver = basket.status === 'open' && nowUnix >= basket.expiresUnix;
  return isOver ? released(basket, 'expired') : { outcome: 'unchanged', basket };
}

const noEvent = { eventId: null, currency: null } as const;

/** An ended basket holds nothing and knows nobody. That its status changes with it makes it give back exactly once. */
export function released(basket: Basket, status: 'cancelled' | 'expired'): Decision {
  return {
    outcome: 'changed',
    basket: { ...basket, ...noEvent, status, lines: [], checkout: null },
    uncount: movesOf(basket, basket.lines),
  };
}

function movesOf({ eventId }: Basket, lines: readonly LineItem[]): StockMove[] {
  if (eventId === null) return [];
  return lines.map((line) => ({ eventId, index: line.priceIndex, tickets: line.quantity * line.ticketsIncluded }));
}
