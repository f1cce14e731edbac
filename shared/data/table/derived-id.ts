import { createHash } from 'node:crypto';
import { maxPrices } from '../../domain/prices/price.ts';
import type { ConfigKind } from './keys.ts';

/**
 * The id of something that an organisation names by a code. It follows from the code alone, so that importing a file twice
 * gives the same ids, and a reference by code needs no look-up. 53 bits of SHA-256: the largest integers that every JSON
 * reader holds exactly, and ten thousand of them collide once in 180 million organisations.
 */
export function derivedId(orgId: string, kind: ConfigKind, code: string): number {
  const id = hashOf(orgId, kind, code);
  // Zero is no id; that no code is known to give it is no reason to allow it.
  return id === 0 ? 1 : id;
}

/** The numbers after an event's id are those of its prices, so 44 bits of the hash tell events apart. */
export function derivedEventId(orgId: string, code: string): number {
  const block = maxPrices + 1;
  const hash = hashOf(orgId, 'event', code);
  return Math.max(hash - (hash % block), block);
}

/** Two events may name their categories alike: each has its own. */
export function derivedPriceCategoryId(orgId: string, eventId: number, code: string): number {
  return Math.max(hashOf(orgId, 'price-category', String(eventId), code), 1);
}

function hashOf(...parts: readonly string[]): number {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Number(hash.readBigUInt64BE() >> 11n);
}
