import { countSource, readCount } from '../../data/auth/storefront-counts.ts';
import type { Table } from '../../data/table/table.ts';
import { windowRules, windowState } from '../../domain/auth/rate-windows.ts';
import { limitReached } from '../auth/auth-problems.ts';
import type { Caller } from '../request-context.ts';

interface GuessLimit {
  /** Throws if the client's address has tried too many wrong codes in this minute. A right one is refused then too. */
  check(): Promise<void>;
  /** Counts a wrong code. */
  count(): Promise<void>;
}

/** Limits how many wrong codes a client address tries. An API key is not limited: its server knows its buyers. */
export function guessLimit(table: Table, { orgId, storefront }: Caller, nowMs: number): GuessLimit {
  if (storefront === undefined) return { check: async () => undefined, count: async () => undefined };
  const window = 'address_codes';
  const { limit } = windowRules[window];
  const counted = { orgId, keyId: storefront.tokenId };
  const source = { window, id: `c${storefront.address}`, limit } as const;
  return {
    async check() {
      const used = await readCount(table, counted, source, nowMs);
      if (used === undefined) throw limitReached([windowState(window, limit, nowMs)], nowMs);
    },
    async count() {
      await countSource(table, counted, source, nowMs);
    },
  };
}
