import type { VenueRecord } from '../domain/events/event.ts';
import type { PoolRecord } from '../domain/prices/pool.ts';
import { type PriceCategoryRecord, priceIdOf, type Stock } from '../domain/prices/price.ts';
import type { Pool } from '../operations/schemas/pool.ts';
import type { PriceCategory } from '../operations/schemas/price-category.ts';
import type { Venue } from '../operations/schemas/venue.ts';

export function priceCategoryResource(category: PriceCategoryRecord): PriceCategory {
  return {
    price_category_id: category.categoryId,
    title: category.title,
    status: category.status,
    zone: category.zone,
    order_by: category.orderBy,
    code: category.code,
    version: category.version,
  };
}

export function poolResource(pool: PoolRecord, stock: Stock | undefined): Pool {
  return {
    pool_id: priceIdOf(pool.eventId, pool.index),
    title: pool.title,
    capacity: stock?.capacity ?? 0,
    available: stock?.avail ?? 0,
    code: pool.code,
    version: pool.version,
  };
}

export function venueResource({ venueId, name, version }: VenueRecord): Venue {
  return { venue_id: venueId, venue_name: name, code: venueId, version };
}
