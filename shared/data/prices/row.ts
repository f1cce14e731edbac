import * as v from 'valibot';
import type { PoolRecord } from '../../domain/prices/pool.ts';
import { holderNames, type PriceCategoryRecord, type PriceRecord, priceIdOf } from '../../domain/prices/price.ts';
import { transferRules } from '../../domain/prices/ticket-rules.ts';
import { type ItemKey, poolKey, priceCategoryKey, priceKey, uniqueKey } from '../table/keys.ts';
import { carried, nullable, row, storedEnum, storedMetadata } from '../table/row.ts';

type PriceItem = ItemKey & Readonly<Record<string, unknown>>;

const number = nullable(v.number());
const flag = v.optional(v.boolean(), false);
const onSale = storedEnum(['active', 'inactive'], 'inactive');

const StoredCategory = row({
  categoryId: v.number(),
  eventId: v.number(),
  code: v.string(),
  title: v.string(),
  status: onSale,
  orderBy: v.number(),
  zone: nullable(v.string()),
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
  holderNames: v.optional(storedEnum(holderNames, 'required'), 'optional'),
  namesUntilHours: number,
  barcodeFromHours: number,
  transfer: nullable(storedEnum(transferRules, 'none')),
  transferUntilHours: number,
  selfCancel: nullable(row({ untilHours: v.number(), keepPercent: v.number() })),
  orderBy: v.number(),
  taxRate: number,
  poolIndex: number,
  ownStock: flag,
  seatsOnly: flag,
  stockSlices: v.optional(v.number(), 1),
  stockVersion: v.optional(v.number(), 0),
  metadata: storedMetadata,
  version: v.number(),
});

const StoredPool = row({
  eventId: v.number(),
  index: v.number(),
  code: v.string(),
  title: v.string(),
  stockSlices: v.optional(v.number(), 1),
  stockVersion: v.optional(v.number(), 0),
  version: v.number(),
});

export function parsePool(item: unknown): PoolRecord {
  return v.parse(StoredPool, item);
}

export function poolItem(orgId: string, pool: PoolRecord): PriceItem {
  return { ...poolKey(orgId, pool.eventId, pool.index), ...pool };
}

export function parseCategory(item: unknown): PriceCategoryRecord {
  return v.parse(StoredCategory, item);
}

export function parsePrice(item: unknown): PriceRecord {
  const stored = v.parse(StoredPrice, item);
  const ownStock = stored.ownStock || (stored.poolIndex === null && !stored.seatsOnly);
  return { ...stored, ownStock, priceId: priceIdOf(stored.eventId, stored.index) };
}

export function categoryItem(orgId: string, { zone, ...category }: PriceCategoryRecord): PriceItem {
  const key = priceCategoryKey(orgId, category.eventId, category.categoryId);
  return { ...key, ...category, ...(zone !== null && { zone }) };
}

/** Leaves out what is usual: a price without a pool has a stock of its own, and names of holders are optional. */
export function priceItem(orgId: string, { priceId: _, holderNames: names, ...record }: PriceRecord): PriceItem {
  const price = {
    ...record,
    ownStock: record.ownStock && record.poolIndex !== null,
    ...(names !== 'optional' && { holderNames: names }),
  };
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
