import { type Basket, newBasket } from '../baskets/basket.ts';
import { addToBasket, type BasketRefusal, type Decision } from '../baskets/changes.ts';
import type { Offer } from '../baskets/offer.ts';
import type { StockMove } from '../baskets/stock-moves.ts';
import { stockIndexes } from '../prices/pool.ts';
import { isListOpen, isListOver, offerSeconds, type WaitingEntry, type Wish } from './entry.ts';

/** How many tickets a stock has, by its index within the event. */
export type Left = (index: number) => number;

export type Turn =
  /** So many fit. */
  | { readonly outcome: 'fits'; readonly quantity: number }
  /** These stocks have too few. */
  | { readonly outcome: 'too_few'; readonly stocks: readonly number[] }
  /** There is enough in these stocks, but the price is not sold now. Those of them that are closed stay so: it may be sold again. */
  | { readonly outcome: 'paused'; readonly stocks: readonly number[] }
  /** The list has ended. */
  | { readonly outcome: 'over' };

/** Decides what happens to somebody who waits when it is their turn. */
export function turnOf(wish: Wish, offer: Offer | undefined, left: Left, nowUnix: number): Turn {
  if (offer === undefined || isListOver(offer, nowUnix)) return { outcome: 'over' };
  const stocks = stockIndexes(offer.price);
  if (stocks.length === 0) return { outcome: 'paused', stocks };
  const most = Math.floor(Math.min(...stocks.map(left)) / offer.price.ticketsIncluded);
  const quantity = Math.min(wish.quantity, most);
  const isEnough = quantity === wish.quantity || (wish.acceptLess && quantity > 0);
  if (!isEnough) return { outcome: 'too_few', stocks: tooFewIn(wish, offer, left) };
  const sold = isListOpen(offer, nowUnix) ? soldAtOnce(offer, { ...wish, quantity }, nowUnix) : undefined;
  return sold === undefined ? { outcome: 'paused', stocks } : { outcome: 'fits', quantity: sold };
}

/** So many, or the most below that are sold in one order to somebody who accepts fewer; undefined if none are. */
function soldAtOnce(offer: Offer, { quantity, acceptLess }: Wish, nowUnix: number): number | undefined {
  for (let some = quantity; some >= (acceptLess ? 1 : quantity); some -= 1) {
    if (offerRefusal(offer, some, nowUnix) === undefined) return some;
  }
  return undefined;
}

/** The stocks of a price that have too few for somebody. */
export function tooFewIn(
  { quantity, acceptLess }: Wish,
  { price }: Pick<Offer, 'price'>,
  left: Left,
): readonly number[] {
  const needed = (acceptLess ? 1 : quantity) * price.ticketsIncluded;
  return stockIndexes(price).filter((index) => left(index) < needed);
}

const anyBasket = 1;

/** What the organisation's lists of held baskets say of an offer. */
const longHoldReason = 'Waiting list';

type Offered = Pick<WaitingEntry, 'quantity' | 'emailAddress'>;

function fill(basketId: number, offer: Offer, { quantity, emailAddress }: Offered, nowUnix: number): Decision {
  const customer = { emailAddress, firstName: '', lastName: '' };
  const longHold = { untilUnix: nowUnix + offerSeconds, reason: longHoldReason, customer };
  return addToBasket(newBasket(basketId, nowUnix, { longHold }), offer, { quantity }, nowUnix);
}

/** Why so many tickets of a price are never offered, as far as price and event say now; undefined if they may be. */
export function offerRefusal(offer: Offer, quantity: number, nowUnix: number): BasketRefusal | undefined {
  const decision = fill(anyBasket, offer, { quantity, emailAddress: '' }, nowUnix);
  return decision.outcome === 'refused' ? decision.refusal : undefined;
}

/** The basket of an offer with its tickets, and what it takes; undefined if the price is not sold in such a number. */
export function filledBasket(
  basketId: number,
  offer: Offer,
  offered: Offered,
  nowUnix: number,
): { readonly basket: Basket; readonly takes: readonly StockMove[] } | undefined {
  const decision = fill(basketId, offer, offered, nowUnix);
  return decision.outcome === 'changed' ? { basket: decision.basket, takes: decision.takes ?? [] } : undefined;
}
