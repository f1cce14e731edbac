import type { EventRecord } from '../domain/events/event.ts';
import { availableOf } from '../domain/prices/pool.ts';
import type { PriceRecord, Stock } from '../domain/prices/price.ts';
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
export function warningsOfEvent(prices: readonly PriceRecord[], context: Context, nowUnix: number): Warning[] {
  if (prices.some(({ status }) => status === 'active')) {
    return prices.flatMap((price) => warningsOfPrice(price, context, nowUnix));
  }
  const message = 'The event has no active price, so nothing is sold. Add prices with create-price.';
  return [{ code: 'event_without_prices', message, param: null }];
}
