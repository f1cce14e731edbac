/** An event's id ends in nine empty bits; the ids of its prices are the 511 numbers after it. */
export const maxPrices = 511;

export type OnSale = 'active' | 'inactive';

/** Groups the prices of an event, such as a stand. */
export interface PriceCategoryRecord {
  readonly categoryId: number;
  readonly eventId: number;
  /** The organisation's own short name for the category within the event, and the key of imports. */
  readonly code: string;
  readonly title: string;
  readonly status: OnSale;
  readonly orderBy: number;
  readonly version: number;
}

/** What the platform team says about a price. Amounts are minor units of the event's currency, for one purchase. */
export interface PriceFields {
  readonly categoryId: number;
  readonly title: string;
  readonly priceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
  readonly availableFromUnix: number | null;
  readonly availableUntilUnix: number | null;
  /** Only paid members of this type may buy. */
  readonly membershipTypeId: number | null;
  readonly showOnline: boolean;
  readonly showBoxoffice: boolean;
  readonly status: OnSale;
  /** How many tickets one purchase holds: more than 1 makes it a group ticket. */
  readonly ticketsIncluded: number;
  readonly scanningFlag: number;
  readonly orderBy: number;
}

/** A ticket type of an event. */
export interface PriceRecord extends PriceFields {
  readonly eventId: number;
  /** 1 to 511 within the event: what counters and stock know the price by. It never changes and is never given again. */
  readonly index: number;
  readonly priceId: number;
  /** The organisation's own short name for the price within the event, and the key of imports. */
  readonly code: string;
  readonly version: number;
}

/** How many tickets there are of a price: what is not available is held in baskets or sold. */
export interface Stock {
  readonly avail: number;
  readonly capacity: number;
}

export function priceIdOf(eventId: number, index: number): number {
  return eventId + index;
}

const idsPerBlock = maxPrices + 1;

/** The event of a price and the price's place in it; undefined for what cannot be a price's id. */
export function priceOfId(priceId: number): { readonly eventId: number; readonly index: number } | undefined {
  const index = priceId % idsPerBlock;
  return index === 0 ? undefined : { eventId: priceId - index, index };
}

/** Nobody can buy one more: a group ticket needs stock for all of its tickets. */
export function isSoldOut(
  { ticketsIncluded }: Pick<PriceRecord, 'ticketsIncluded'>,
  stock: Stock | undefined,
): boolean {
  return (stock?.avail ?? 0) < ticketsIncluded;
}

/** An event is sold out when something is on sale, and nothing of it is left. */
export function isEventSoldOut(prices: readonly PriceRecord[], stocks: ReadonlyMap<number, Stock>): boolean {
  const onSale = prices.filter(({ status }) => status === 'active');
  return onSale.length > 0 && onSale.every((price) => isSoldOut(price, stocks.get(price.index)));
}
