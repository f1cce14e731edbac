import { createHash } from 'node:crypto';
import { maxPrices } from '../../domain/prices/price.ts';
import type { ConfigKind } from './keys.ts';

/**
 * The id of an object that an organisation identifies by a code. It is derived from the code alone, so importing a file twice
 * gives the same ids, and a reference by code needs no look-up. It has 53 bits of SHA-256: every JSON parser represents such
 * integers exactly, and ten thousand of them collide in one of 180 million organisations.
 */
export function derivedId(orgId: string, kind: ConfigKind, code: string): number {
  const id = hashOf(orgId, kind, code);
  // Zero is not a valid id. No code is known to hash to it, but the function excludes it anyway.
  return id === 0 ? 1 : id;
}

/** The numbers after an event's id are the ids of its prices, so 44 bits of the hash distinguish events. */
export function derivedEventId(orgId: string, code: string): number {
  const block = maxPrices + 1;
  const hash = hashOf(orgId, 'event', code);
  return Math.max(hash - (hash % block), block);
}

/** Two events may use the same category code for different categories, so the event is part of the hash. */
export function derivedPriceCategoryId(orgId: string, eventId: number, code: string): number {
  return Math.max(hashOf(orgId, 'price-category', String(eventId), code), 1);
}

/** A number for a venue, whose id is its code, where only digits may stand. */
export function venueHash(orgId: string, code: string): number {
  return hashOf(orgId, 'venue', code);
}

/** The id under which the uses of a code are counted. It follows from the code, so it is the same for ever. */
export function derivedCodeStockId(orgId: string, code: string): number {
  return Math.max(hashOf(orgId, 'code', code), 1);
}

function hashOf(...parts: readonly string[]): number {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Number(hash.readBigUInt64BE() >> 11n);
}
