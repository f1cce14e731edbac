import type { Seat } from '../../site/browser/seats/resources.ts';
import type { House } from './house.ts';
import type { OfficePrice } from './resources.ts';
import type { SaleLine } from './sell.ts';

/** What is being sold: how many of each price, and the seats that staff have picked. */
export interface Chosen {
  readonly counts: ReadonlyMap<number, number>;
  readonly seats: readonly Seat[];
  /** The price of the picked seats of a zone, if it is not the first one. */
  readonly priceOfZone: ReadonlyMap<string, number>;
}

export const nothing: Chosen = { counts: new Map(), seats: [], priceOfZone: new Map() };

/** The prices that sell the seats of a zone at the counter. */
export function pricesIn(
  zone: string,
  prices: readonly OfficePrice[],
  house: House | undefined,
): readonly OfficePrice[] {
  const ids = house?.pricesOfZone.get(zone) ?? [];
  return prices.filter(({ price_id }) => ids.includes(price_id));
}

interface ChosenLine extends SaleLine {
  readonly price: OfficePrice;
}

export function linesOf(
  { counts, seats, priceOfZone }: Chosen,
  prices: readonly OfficePrice[],
  house: House | undefined,
): readonly ChosenLine[] {
  const best = prices.flatMap((price) => {
    const quantity = counts.get(price.price_id) ?? 0;
    return quantity === 0 ? [] : [{ priceId: price.price_id, price, quantity, seats: [] }];
  });
  const picked = [...Map.groupBy(seats, ({ zone }) => zone)].flatMap(([zone, inZone]) => {
    const offered = pricesIn(zone, prices, house);
    const price = offered.find(({ price_id }) => price_id === priceOfZone.get(zone)) ?? offered[0];
    if (price === undefined) return [];
    return [{ priceId: price.price_id, price, quantity: inZone.length, seats: inZone.map(({ name }) => name) }];
  });
  return [...best, ...picked];
}
