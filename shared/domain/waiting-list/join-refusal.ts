import type { BasketRefusal } from '../baskets/changes.ts';
import type { Offer } from '../baskets/offer.ts';
import { isSoldOut } from '../prices/pool.ts';
import type { Stock } from '../prices/price.ts';
import { isListOpen, type WaitingEntry } from './entry.ts';
import { offerRefusal } from './who-fits.ts';

/** Why a person is not put into a waiting list, or not taken off it. */
export type WaitingRefusal =
  /** To a page, what is not in the catalogue looks like a missing one. */
  | { readonly reason: 'event_unknown' | 'price_of_event_unknown' | 'entry_unknown' | 'basket_unknown' }
  | { readonly reason: 'seats_are_numbered' | 'list_closed' | 'not_sold_out' }
  /** The price has no more tickets, whoever gives some back. */
  | { readonly reason: 'more_than_exist'; readonly most: number }
  /** The person waits for another quantity. */
  | { readonly reason: 'waits_already'; readonly quantity: number }
  | { readonly reason: 'waits_for_too_many'; readonly maxPerPerson: number }
  | BasketRefusal;

interface Joining {
  readonly offer: Offer;
  readonly stocks: ReadonlyMap<number, Stock>;
  readonly quantity: number;
  readonly nowUnix: number;
}

/** Returns why nobody can wait for so many tickets of a price now; undefined if one can. */
export function joinRefusal({ offer, stocks, quantity, nowUnix }: Joining): WaitingRefusal | undefined {
  const { event, price, pool } = offer;
  if (event.reservedSeating || event.seatingMapId !== null) return { reason: 'seats_are_numbered' };
  const refusal = offerRefusal(offer, quantity, nowUnix);
  // A hold of a day may end after the event starts; then the list has ended.
  if (refusal !== undefined && refusal.reason !== 'long_hold_after_event') return refusal;
  if (refusal !== undefined || !isListOpen(offer, nowUnix)) return { reason: 'list_closed' };
  if (!isSoldOut(price, stocks)) return { reason: 'not_sold_out' };
  // What can never be offered would keep the stock closed for everyone.
  const own = price.ownStock ? stocks.get(price.index)?.capacity : undefined;
  const shared = pool === null ? undefined : stocks.get(pool.index)?.capacity;
  const most = Math.floor(Math.min(own ?? Infinity, shared ?? Infinity) / price.ticketsIncluded);
  return quantity > most ? { reason: 'more_than_exist', most } : undefined;
}

type Asked = Pick<WaitingEntry, 'quantity' | 'acceptLess'>;

/** Joining again returns the entry, unless something else is asked for. */
export function rejoinRefusal(entry: Asked, asked: Asked): WaitingRefusal | undefined {
  const isSame = entry.quantity === asked.quantity && entry.acceptLess === asked.acceptLess;
  return isSame ? undefined : { reason: 'waits_already', quantity: entry.quantity };
}
