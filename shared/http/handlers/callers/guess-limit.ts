import {
  type CountedSource,
  countSource,
  type LimitedSource,
  uncountSource,
} from '../../../data/auth/storefront-counts.ts';
import type { Table } from '../../../data/table/table.ts';
import { windowRules, windowState } from '../../../domain/auth/rate-windows.ts';
import { limitReached } from '../../auth/auth-problems.ts';
import type { Caller } from '../../request-context.ts';

/** A code that was tried, and counted as a wrong one. */
interface Guess {
  /** Whether as many wrong codes were tried in the basket as it allows. A right one is refused then too. */
  readonly isBasketFull: boolean;
  /** The code was right, so it does not count. */
  forgive(): Promise<void>;
}

interface Tried {
  /** The basket in which the code is tried; undefined if it is only asked for. */
  readonly basketId?: number;
  readonly nowMs: number;
}

/**
 * Counts a code as a wrong one before it is compared, so codes that come at the same moment count each. Throws if too many wrong ones came from
 * the client's address in this minute. The address of an API key is not limited: its server knows its buyers.
 */
export async function countGuess(
  table: Table,
  { orgId, storefront }: Caller,
  { basketId, nowMs }: Tried,
): Promise<Guess> {
  const count = async (window: 'address_codes' | 'basket_codes', keyId: string, id: string) => {
    const source: LimitedSource = { window, id, limit: windowRules[window].limit };
    const counted = await countSource(table, { orgId, keyId }, source, nowMs);
    return counted && { keyId, source: { ...source, added: counted.added } };
  };
  const ofAddress = storefront && (await count('address_codes', storefront.tokenId, `c${storefront.address}`));
  if (storefront !== undefined && ofAddress === undefined) {
    const window = 'address_codes';
    throw limitReached([windowState(window, windowRules[window].limit, nowMs)], nowMs);
  }
  // All who may change the basket share this count, whatever their key.
  const ofBasket = basketId === undefined ? undefined : await count('basket_codes', 'baskets', `g${basketId}`);
  const counts: readonly { keyId: string; source: CountedSource }[] = [ofAddress, ofBasket].filter(
    (counted) => counted !== undefined,
  );
  return {
    isBasketFull: basketId !== undefined && ofBasket === undefined,
    forgive: async () => {
      await Promise.all(counts.map(({ keyId, source }) => uncountSource(table, { orgId, keyId }, source, nowMs)));
    },
  };
}
