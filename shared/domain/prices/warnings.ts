import { type EventRecord, saleAfterStartSeconds } from '../events/event.ts';
import type { PriceRecord } from './price.ts';

/** What may be a mistake of a price that is allowed. */
export type PriceWarning = 'price_without_stock' | 'sale_never_opens';

/** What may be a mistake of an active price, with so many tickets left. */
export function priceWarnings(
  price: Pick<PriceRecord, 'status' | 'availableFromUnix' | 'availableUntilUnix' | 'ticketsIncluded'>,
  { startUnix }: Pick<EventRecord, 'startUnix'>,
  available: number,
  nowUnix: number,
): readonly PriceWarning[] {
  if (price.status !== 'active') return [];
  const endUnix = price.availableUntilUnix ?? startUnix + saleAfterStartSeconds;
  const opensUnix = Math.max(nowUnix, price.availableFromUnix ?? 0);
  return [
    ...(available < price.ticketsIncluded ? (['price_without_stock'] as const) : []),
    ...(opensUnix >= endUnix ? (['sale_never_opens'] as const) : []),
  ];
}
