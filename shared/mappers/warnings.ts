import type { EventRecord } from '../domain/events/event.ts';
import { availableOf } from '../domain/prices/pool.ts';
import type { PriceCategoryRecord, PriceRecord, Stock } from '../domain/prices/price.ts';
import { type PriceWarning, priceWarnings } from '../domain/prices/warnings.ts';
import type { Warning } from '../operations/schemas/dry-run.ts';

const words: Readonly<Record<PriceWarning, { readonly param: string; says(title: string): string }>> = {
  price_without_stock: {
    param: 'capacity',
    says: (title) => `The price ${title} has no tickets to sell. Raise its capacity, or that of its pool.`,
  },
  sale_never_opens: {
    param: 'available_until_unix',
    says: (title) => `The sale of the price ${title} never opens: it ends before it begins, or has ended.`,
  },
};

interface Context {
  readonly event: Pick<EventRecord, 'startUnix'>;
  readonly stocks: ReadonlyMap<number, Stock>;
}

export function warningsOfPrice(price: PriceRecord, { event, stocks }: Context, nowUnix: number): Warning[] {
  return priceWarnings(price, event, availableOf(price, stocks), nowUnix).map((code) => ({
    code,
    message: words[code].says(price.title),
    param: words[code].param,
  }));
}

/** What may be wrong with an event as it would be: that nothing is sold, or something is never sold. */
export function warningsOfEvent(
  prices: readonly PriceRecord[],
  context: Context & { readonly seats?: Seats | undefined },
  nowUnix: number,
): Warning[] {
  const { seats } = context;
  if (prices.some(({ status }) => status === 'active')) {
    const hasSeats = (price: PriceRecord): boolean => seats === undefined || seats.zones.has(zoneOf(price, seats));
    const ofPrices = prices.flatMap((price) =>
      warningsOfPrice(price, context, nowUnix).filter(({ code }) => code !== 'price_without_stock' || hasSeats(price)),
    );
    return [...ofPrices, ...(seats === undefined ? [] : seatWarnings(prices, seats))];
  }
  const message = 'The event has no active price, so nothing is sold. Add prices with create-price.';
  return [{ code: 'event_without_prices', message, param: null }];
}

interface Seats {
  readonly categories: ReadonlyMap<number, PriceCategoryRecord>;
  /** The seats of each zone of the map. */
  readonly zones: ReadonlyMap<string, Stock>;
}

const zoneOf = ({ categoryId }: PriceRecord, { categories }: Seats): string => categories.get(categoryId)?.zone ?? '';

/** A zone that nobody sells, or a price whose zone has no seats. */
function seatWarnings(prices: readonly PriceRecord[], seats: Seats): Warning[] {
  const { categories, zones } = seats;
  const active = prices.filter(
    ({ status, categoryId }) => status === 'active' && categories.get(categoryId)?.status === 'active',
  );
  const sold = new Set(active.map((price) => zoneOf(price, seats)));
  return [
    ...[...zones]
      .filter(([zone]) => !sold.has(zone))
      .map(([zone, { capacity }]) => ({
        code: 'zone_without_price' as const,
        message: `No active price sells the zone ${zone}, which has ${capacity} seats. Nobody can buy them.`,
        param: null,
      })),
    ...active
      .filter((price) => !zones.has(zoneOf(price, seats)))
      .map(({ title }) => ({
        code: 'price_without_seats' as const,
        message: `The price ${title} has no seats: its category names no zone of the seat map. Set the zone of the category.`,
        param: 'zone',
      })),
  ];
}
