import type { EventInventory } from '../data/inventory/read.ts';
import type { StockInventory } from '../domain/inventory/inventory.ts';
import { nothingCounted } from '../domain/orders/counts.ts';
import { priceIdOf } from '../domain/prices/price.ts';
import type { EventInventoryRow } from '../operations/schemas/event-inventory.ts';

export function inventoryRow(
  { categories, sales }: EventInventory,
  { stock, capacity, sold, complimentary, held, offered, blocked, members, free }: StockInventory,
): EventInventoryRow {
  return {
    ...named(stock),
    capacity,
    sold,
    complimentary,
    held,
    offered,
    blocked,
    members,
    free,
    prices: stock.prices.map((price) => ({
      price_id: price.priceId,
      price_title: price.title,
      price_category_id: price.categoryId,
      category_title: categories.get(price.categoryId)?.title ?? '',
      sold: countsOf(sales, price.index).tickets,
      complimentary: countsOf(sales, price.index).complimentary,
    })),
  };
}

function countsOf(sales: EventInventory['sales'], priceIndex: number) {
  return sales.get(priceIndex) ?? nothingCounted;
}

function named(
  stock: StockInventory['stock'],
): Pick<EventInventoryRow, 'kind' | 'price_id' | 'pool_id' | 'zone' | 'title'> {
  const nobody = { price_id: null, pool_id: null, zone: null };
  switch (stock.kind) {
    case 'price':
      return { ...nobody, kind: 'price', price_id: stock.price.priceId, title: stock.price.title };
    case 'pool': {
      const { eventId, index, title } = stock.pool;
      return { ...nobody, kind: 'pool', pool_id: priceIdOf(eventId, index), title };
    }
    case 'zone':
      return { ...nobody, kind: 'zone', zone: stock.zone, title: stock.zone };
  }
}
