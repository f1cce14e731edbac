import { createHash } from 'node:crypto';
import type { ConfigKind } from './keys.ts';

/**
 * The id of something that an organisation names by a code. It follows from the code alone, so that importing a file twice
 * gives the same ids, and a reference by code needs no look-up. 53 bits of SHA-256: the largest integers that every JSON
 * reader holds exactly, and ten thousand of them collide once in 180 million organisations.
 */
export function derivedId(orgId: string, kind: ConfigKind, code: string): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([orgId, kind, code]))
    .digest();
  const id = Number(hash.readBigUInt64BE() >> 11n);
  // Zero is no id; that no code is known to give it is no reason to allow it.
  return id === 0 ? 1 : id;
}
