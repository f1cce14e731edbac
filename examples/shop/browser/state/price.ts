import type { Price } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';

const reasons = {
  membership: 'Members first',
  code: 'Needs a code',
  attribute: 'For others first',
  max_per_person: 'You have as many as one person may buy',
  phase: 'Not on sale now',
} as const;

/** Why a price cannot be bought now; undefined if it can. */
export function unavailable(price: Price): string | undefined {
  const nowUnix = nowMs() / 1000;
  if (price.status === 'sold_out') return 'Sold out';
  if (price.phase_id === null && price.next_phase_from_unix !== null) return 'Not on sale yet';
  if (price.eligible === false) return reasons[price.missing?.[0] ?? 'phase'];
  if (price.available_from_unix !== null && price.available_from_unix > nowUnix) return 'Not on sale yet';
  if (price.available_until_unix !== null && price.available_until_unix <= nowUnix) return 'Sale has ended';
  return undefined;
}
