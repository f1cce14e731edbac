import * as v from 'valibot';
import { type PriceCategoryRecord, type PriceRecord, priceIdOf } from '../../domain/prices/price.ts';
import { type ItemKey, priceCategoryKey, priceKey, uniqueKey } from '../table/keys.ts';
import { carried, row, storedEnum } from '../table/row.ts';

type PriceItem = ItemKey & Readonly<Record<string, unknown>>;

const number = v.optional(v.nullable(v.number()), null);
const flag = v.optional(v.boolean(), false);
const onSale = storedEnum(['active', 'inactive'], 'inactive');

const StoredCategory = row({
  categoryId: v.number(),
  eventId: v.number(),
  code: v.string(),
  title: v.string(),
  status: onSale,
  orderBy: v.number(),
  version: v.number(),
});

const StoredPrice = row({
  eventId: v.number(),
  index: v.number(),
  code: v.string(),
  categoryId: v.number(),
  title: v.string(),
  priceMinor: v.number(),
  rebateMinor: v.number(),
  serviceFeeMinor: v.number(),
  serviceTaxMinor: v.number(),
  availableFromUnix: number,
  availableUntilUnix: number,
  membershipTypeId: number,
  showOnline: flag,
  showBoxoffice: flag,
  status: onSale,
  ticketsIncluded: v.number(),
  scanningFlag: v.number(),
  maxPerOrder: number,
  maxPerMember: number,
  orderBy: v.number(),
  stockSlices: v.optional(v.number(), 1),
  version: v.number(),
});

export function parseCategory(item: unknown): PriceCategoryRecord {
  return v.parse(StoredCategory, item);
}

export function parsePrice(item: unknown): PriceRecord {
  const stored = v.parse(StoredPrice, item);
  return { ...stored, priceId: priceIdOf(stored.eventId, stored.index) };
}

export function categoryItem(orgId: string, category: PriceCategoryRecord): PriceItem {
  return { ...priceCategoryKey(orgId, category.eventId, category.categoryId), ...category };
}

export function priceItem(orgId: string, { priceId: _, ...price }: PriceRecord): PriceItem {
  const present = Object.entries(price).filter(([, value]) => value !== null && value !== false);
  return { ...carried(price), ...priceKey(orgId, price.eventId, price.index), ...Object.fromEntries(present) };
}

/** Makes the code of a price unique within its event. */
export function priceCodeKey(orgId: string, eventId: number, code: string): ItemKey {
  return uniqueKey(orgId, 'price', `${eventId}#${code}`);
}

export function priceCodeItem(orgId: string, { eventId, code, priceId: id }: PriceRecord): PriceItem {
  return { ...priceCodeKey(orgId, eventId, code), id };
}
