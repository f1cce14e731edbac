import type { CountedPeriod } from '../data/counters/periods.ts';
import type { PricedEvent, PriceList } from '../data/prices/read.ts';
import { majorUnits, sumOf } from '../domain/money.ts';
import { nothingCounted, type OrderCounts } from '../domain/orders/counts.ts';
import type { PriceRecord } from '../domain/prices/price.ts';
import type { PriceCategoryStats, PriceStats } from '../operations/schemas/event-stats.ts';
import type { SalesPeriod, SalesSummaryRow } from '../operations/schemas/sales-summary.ts';

/** The prices of an event and their counts, by the price's index. */
export interface CountedPrices extends PriceList {
  readonly sales: OrderCounts;
  readonly attended: ReadonlyMap<number, number>;
  readonly includeCancelled: boolean;
}

export function priceStats(counted: CountedPrices): PriceStats[] {
  return counted.prices.map((price) => ({
    price_id: price.priceId,
    price_title: price.title,
    price_category_id: price.categoryId,
    category_title: counted.categories.get(price.categoryId)?.title ?? '',
    sold: soldOf(counted, price),
    complimentary: (counted.sales.get(price.index) ?? nothingCounted).complimentary,
    attended: counted.attended.get(price.index) ?? 0,
  }));
}

export function priceCategoryStats(counted: CountedPrices): PriceCategoryStats[] {
  const byPrice = priceStats(counted);
  return [...counted.categories.values()]
    .toSorted((one, other) => one.orderBy - other.orderBy || one.categoryId - other.categoryId)
    .map(({ categoryId, title }) => {
      const own = byPrice.filter(({ price_category_id }) => price_category_id === categoryId);
      return {
        price_category_id: categoryId,
        category_title: title,
        sold: own.reduce((sum, { sold }) => sum + sold, 0),
        complimentary: own.reduce((sum, { complimentary }) => sum + complimentary, 0),
        attended: own.reduce((sum, { attended }) => sum + attended, 0),
      };
    });
}

/** Returns how many tickets of each category were sold, without cancelled and refunded ones. */
export function soldByCategory(list: PriceList, sales: OrderCounts): ReadonlyMap<number, number> {
  const counted = { ...list, sales, attended: new Map(), includeCancelled: false };
  return new Map(priceCategoryStats(counted).map(({ price_category_id, sold }) => [price_category_id, sold]));
}

export function salesSummaryRows({ event, prices, categories }: PricedEvent, sales: OrderCounts): SalesSummaryRow[] {
  return prices.map((price) => {
    const { tickets, orders, netMinor, grossMinor, complimentary } = sales.get(price.index) ?? nothingCounted;
    return {
      ticket_price_category: categories.get(price.categoryId)?.title ?? '',
      ticket_price: price.title,
      tickets,
      complimentary,
      orders,
      net_sales: majorUnits(netMinor, event.currency),
      gross_sales: majorUnits(grossMinor, event.currency),
    };
  });
}

export function salesPeriod({ fromUnix, untilUnix, sales, scans }: CountedPeriod, currency: string): SalesPeriod {
  const counts = [...sales.values()];
  return {
    from_unix: fromUnix,
    until_unix: untilUnix,
    tickets: sumOf(counts.map(({ tickets }) => tickets)),
    gross_sales: majorUnits(sumOf(counts.map(({ grossMinor }) => grossMinor)), currency),
    scans,
  };
}

function soldOf({ sales, includeCancelled }: CountedPrices, { index }: PriceRecord): number {
  const { tickets, cancelled } = sales.get(index) ?? nothingCounted;
  return includeCancelled ? tickets + cancelled : tickets;
}
