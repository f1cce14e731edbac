import { type EventRecord, isInCatalogue } from '../events/event.ts';
import type { Phase } from '../phases/phase.ts';
import type { PoolRecord } from '../prices/pool.ts';
import { isPriceInCatalogue, type PriceCategoryRecord, type PriceRecord } from '../prices/price.ts';
import type { SalesChannel } from './basket.ts';
import type { LineItem } from './line-item.ts';
import type { KnownBuyer } from './phase-refusal.ts';
import type { StockMove } from './stock-moves.ts';

/** A price with its event and category, which decide whether it is on sale, and its pool. */
export interface Offer {
  readonly event: EventRecord;
  readonly category: PriceCategoryRecord;
  readonly price: PriceRecord;
  /** Null if the price has only its own stock. */
  readonly pool: PoolRecord | null;
  /** The code campaigns that reveal the price. If there are any, it is only sold with a code of one of them. */
  readonly revealedBy: readonly number[];
  /** Of the whole event. If there are some of the price, it is only sold in them. */
  readonly phases: readonly Phase[];
  /** Undefined while nobody knows who buys. */
  readonly buyer?: KnownBuyer | undefined;
}

/** Whether everyone may know of the offer. To a storefront token, any other price looks like a missing one. */
export function isOfferInCatalogue({ event, category, price }: Offer): boolean {
  return isInCatalogue(event) && isPriceInCatalogue(price, category);
}

export type OffSale =
  | 'code_needed'
  | 'reserved_seating'
  | 'no_seats'
  | 'no_zone'
  | 'inactive'
  | 'not_sold_online'
  | 'not_at_counter'
  | 'not_yet'
  | 'no_longer';

/** Returns why a price cannot be added to a basket of a channel now; undefined if it can. */
export function offSaleReason(
  { event, category, price }: Offer,
  channel: SalesChannel,
  nowUnix: number,
): OffSale | undefined {
  const { availableFromUnix: from, availableUntilUnix: until } = price;
  if (event.reservedSeating && event.seatingMapId === null) return 'reserved_seating';
  if (event.seatingMapId !== null && category.zone === null) return 'no_zone';
  if (price.status !== 'active' || category.status !== 'active') return 'inactive';
  if (channel === 'online' && !price.showOnline) return 'not_sold_online';
  if (channel === 'counter' && !price.showBoxoffice) return 'not_at_counter';
  if (from !== null && nowUnix < from) return 'not_yet';
  return until !== null && nowUnix >= until ? 'no_longer' : undefined;
}

/** A line of the offer, with the price as it is now. */
export function lineOf(
  { category, price, pool, revealedBy }: Offer,
  { lineId, quantity }: Pick<LineItem, 'lineId' | 'quantity'>,
): LineItem {
  return {
    lineId,
    kind: 'ticket',
    priceId: price.priceId,
    priceIndex: price.index,
    soldTypeId: null,
    title: price.title,
    categoryId: category.categoryId,
    categoryTitle: category.title,
    quantity,
    ticketsIncluded: price.ticketsIncluded,
    holders: [],
    seats: [],
    neededSeats: [],
    adjustments: [],
    faceMinor: price.priceMinor,
    rebateMinor: price.rebateMinor,
    serviceFeeMinor: price.serviceFeeMinor,
    serviceTaxMinor: price.serviceTaxMinor,
    taxRate: price.taxRate,
    membershipTypeId: price.membershipTypeId,
    maxPerMember: price.maxPerMember,
    holderNames: price.holderNames,
    availableUntilUnix: price.availableUntilUnix,
    stockSlices: price.stockSlices,
    pool: pool && { index: pool.index, slices: pool.stockSlices },
    ownStock: price.ownStock,
    nextTerm: null,
    payments: null,
    ...(revealedBy.length > 0 && { needsCode: true }),
    ...(price.selfCancel !== null && { selfCancel: price.selfCancel }),
  };
}

/** What so many tickets of the offer take, from each of its stocks as they are now. */
export function takesOf({ event: { eventId }, price, pool }: Offer, tickets: number): readonly StockMove[] {
  const stocks = [...(price.ownStock ? [price] : []), ...(pool === null ? [] : [pool])];
  return stocks.map(({ index, stockSlices: slices, stockVersion }) => ({
    stock: { kind: 'event', eventId, index },
    tickets,
    slices,
    stockVersion,
  }));
}
