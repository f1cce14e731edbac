import type { Price } from '../resources.ts';
import { nowMs } from './config.ts';

/** Why a price cannot be bought now; undefined if it can. */
export function unavailable(price: Price): string | undefined {
  const nowUnix = nowMs() / 1000;
  if (price.status === 'sold_out') return 'Sold out';
  if (price.available_from_unix !== null && price.available_from_unix > nowUnix) return 'Not on sale yet';
  if (price.available_until_unix !== null && price.available_until_unix <= nowUnix) return 'Sale has ended';
  return undefined;
}
