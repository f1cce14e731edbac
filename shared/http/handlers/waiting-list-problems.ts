import type { Offer } from '../../domain/baskets/offer.ts';
import { isSoldOut } from '../../domain/prices/pool.ts';
import type { Stock } from '../../domain/prices/price.ts';
import { isListOpen, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { offerRefusal } from '../../domain/waiting-list/who-fits.ts';
import { problem } from '../problem.ts';
import { basketProblem } from './basket-problem.ts';

interface Joining {
  readonly offer: Offer;
  readonly stocks: ReadonlyMap<number, Stock>;
  readonly quantity: number;
  readonly nowUnix: number;
}

/** Throws the problem if nobody can wait for so many tickets of a price now. */
export function checkJoinable({ offer, stocks, quantity, nowUnix }: Joining): void {
  const { event, price } = offer;
  if (event.reservedSeating || event.seatingMapId !== null) {
    throw problem('waiting_list_not_offered', 'There is no waiting list for events with numbered seats.', {
      param: 'price_id',
    });
  }
  const refusal = offerRefusal(offer, quantity, nowUnix);
  // A hold of a day may end after the event starts; then the list has ended.
  if (refusal !== undefined && refusal.reason !== 'held_after_event') throw basketProblem(refusal, nowUnix);
  if (refusal !== undefined || !isListOpen(offer, nowUnix)) {
    throw problem(
      'waiting_list_closed',
      'The sale of this price ends in less than 24 hours, so its waiting list is closed.',
      {
        param: 'price_id',
      },
    );
  }
  if (!isSoldOut(price, stocks)) {
    throw problem('not_sold_out', 'This price is not sold out. Add it to a basket instead.', { param: 'price_id' });
  }
  checkCapacity({ offer, stocks, quantity });
}

/** What can never be offered would keep the stock closed for everyone. */
function checkCapacity({ offer: { price, pool }, stocks, quantity }: Omit<Joining, 'nowUnix'>): void {
  const own = price.ownStock ? stocks.get(price.index)?.capacity : undefined;
  const shared = pool === null ? undefined : stocks.get(pool.index)?.capacity;
  const most = Math.floor(Math.min(own ?? Infinity, shared ?? Infinity) / price.ticketsIncluded);
  if (quantity <= most) return;
  const message = `The parameter quantity must be at most ${most}: the price has no more tickets.`;
  throw problem('parameter_invalid', message, { param: 'quantity' });
}

type Asked = Pick<WaitingEntry, 'quantity' | 'acceptLess'>;

/** Joining again returns the entry, unless something else is asked for. */
export function checkSameWish(entry: Asked, asked: Asked): void {
  if (entry.quantity === asked.quantity && entry.acceptLess === asked.acceptLess) return;
  const message = `This person waits for ${entry.quantity} tickets of this price already. Leave the list to join it again with another quantity or accept_less.`;
  throw problem('already_waiting', message, { param: 'email' });
}
