import type { ComponentChildren } from 'preact';
import type { ClubEvent, Price } from '../../../site/browser/resources.ts';
import { fullName, money, seatsText, whenAndWhere } from '../../../site/browser/state/format.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import type { Basket, BasketItem } from '../resources.ts';
import { isBasketLoading } from '../state/basket.ts';
import { event, offerOf } from '../state/catalogue.ts';
import { session } from '../state/session.ts';
import { taxOf } from '../state/tax.ts';

/** What the tickets of a basket are for. A basket has tickets of one event. */
export interface Sold {
  /** Undefined until it is loaded, and for memberships only. */
  readonly event: ClubEvent | undefined;
  readonly prices: readonly Price[];
}

/** Undefined while it is loading. The event is known before the basket is, so both are asked for at the same time. */
export function useSold(basket: Basket | undefined): Sold | undefined {
  const eventId = isBasketLoading() ? (session().eventId ?? null) : (basket?.event_id ?? null);
  const code = basket?.code?.code;
  const sold = useLoaded(async (): Promise<Sold> => {
    if (eventId === null) return nothing;
    const [shown, { prices }] = await Promise.all([event(eventId), offerOf(eventId, { code })]);
    return { event: shown, prices };
  }, [eventId, code]);
  if (sold.state === 'loading') return undefined;
  return sold.state === 'ready' ? sold.value : nothing;
}

const nothing: Sold = { event: undefined, prices: [] };

interface LinesProps extends Sold {
  readonly basket: Basket;
  /** What can be done with a line. */
  readonly children?: (item: BasketItem, index: number) => ComponentChildren;
}

/** What is bought: the event, its day, stand or seats, and what of the total is fees and tax. */
export function BasketLines({ basket, event: shown, prices, children }: LinesProps) {
  const currency = basket.currency ?? 'AUD';
  const tax = taxOf(basket.items, prices);
  return (
    <>
      {basket.items.map((item, index) => (
        <li key={item.line_id} class="line">
          <span class="line-text">
            {item.quantity} × {item.title}
            {hintsOf(item, { event: shown, prices }, currency).map((hint) => (
              <span key={hint} class="hint">
                {hint}
              </span>
            ))}
          </span>
          <span class="amount">{money(item.total, currency)}</span>
          {children?.(item, index)}
        </li>
      ))}
      <li class="line total">
        <span class="line-text">
          Total
          {basket.fees > 0 && <span class="hint">includes fees of {money(basket.fees, currency)}</span>}
          {tax > 0 && <span class="hint">includes tax of {money(tax, currency)}</span>}
        </span>
        <span class="amount">{money(basket.total, currency)}</span>
      </li>
    </>
  );
}

/** What a line is for: the event with seats or stand, or the people and the membership. */
function hintsOf(item: BasketItem, { event: shown, prices }: Sold, currency: string): readonly string[] {
  const { price_id, seats, holders, renews, replaces, unit_price } = item;
  const ofTickets = price_id === null ? undefined : shown;
  const stand = prices.find((price) => price.price_id === price_id)?.price_category_title;
  return [
    ofTickets?.title,
    ofTickets && whenAndWhere(ofTickets),
    seats.length > 0 ? seatsText(seats) : stand,
    price_id === null && holders.length > 0 && `For ${holders.map(fullName).join(', ')}`,
    renews.length > 0 && 'The next term of your membership',
    replaces.length > 0 &&
      `In place of your membership: ${money(unit_price, currency)} less what you have paid for its rest`,
  ].filter((hint) => typeof hint === 'string');
}
