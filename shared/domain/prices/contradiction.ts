import type { PriceFields } from './price.ts';

/** A field that contradicts another one of the price: a rebate above the price, a sale that ends first, a limit for nobody. */
export type Contradiction = 'rebate' | 'available_from_unix' | 'max_per_member';

export function contradictionIn(price: PriceFields): Contradiction | undefined {
  if (price.rebateMinor > price.priceMinor) return 'rebate';
  const { availableFromUnix: from, availableUntilUnix: until } = price;
  if (from !== null && until !== null && from >= until) return 'available_from_unix';
  return price.maxPerMember !== null && price.membershipTypeId === null ? 'max_per_member' : undefined;
}
