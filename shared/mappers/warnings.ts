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
  readonly categories: ReadonlyMap<number, PriceCategoryRecord>;
  /** The seats of each zone of the map; undefined if the event has none. */
  readonly zones: ReadonlyMap<string, Stock> | undefined;
}

export function warningsOfPrice(price: PriceRecord, context: Context, nowUnix: number): Warning[] {
  const { event, stocks, zones } = context;
  const hasNoSeats = zones !== undefined && !zones.has(zoneOf(price, context));
  return priceWarnings(price, event, availableOf(price, stocks), nowUnix).map((code) => {
    const { param, says } = words[code];
    if (code !== 'price_without_stock' || !hasNoSeats) return { code, message: says(price.title), param };
    const message = `The price ${price.title} has no seats: its category names no zone of the seat map. Set the zone of the category.`;
    return { code: 'price_without_seats' as const, message, param: 'zone' };
  });
}

/** What may be wrong with an event as it would be: that nothing is sold, or something is never sold. */
export function warningsOfEvent(prices: readonly PriceRecord[], context: Context, nowUnix: number): Warning[] {
  if (prices.some(({ status }) => status === 'active')) {
    return [...prices.flatMap((price) => warningsOfPrice(price, context, nowUnix)), ...unsoldZones(prices, context)];
  }
  const message = 'The event has no active price, so nothing is sold. Add prices with create-price.';
  return [{ code: 'event_without_prices', message, param: null }];
}

const zoneOf = ({ categoryId }: PriceRecord, { categories }: Pick<Context, 'categories'>): string =>
  categories.get(categoryId)?.zone ?? '';

/** Zones whose seats nobody sells. */
function unsoldZones(prices: readonly PriceRecord[], context: Context): Warning[] {
  const { categories, zones = new Map<string, Stock>() } = context;
  const sold = new Set(
    prices
      .filter(({ status, categoryId }) => status === 'active' && categories.get(categoryId)?.status === 'active')
      .map((price) => zoneOf(price, context)),
  );
  return [...zones]
    .filter(([zone]) => !sold.has(zone))
    .map(([zone, { capacity }]) => ({
      code: 'zone_without_price' as const,
      message: `No active price sells the zone ${zone}, which has ${capacity} seats. Nobody can buy them.`,
      param: null,
    }));
}
