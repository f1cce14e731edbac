import type { Price } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';
import { hasEnded, startOf } from './sale.ts';

const reasons = {
  membership: 'Members only',
  code: 'Needs a code',
  attribute: 'For others first',
  max_per_person: 'You have as many as one person may buy',
  phase: 'Not on sale now',
} as const;

/** Why a price cannot be bought now; undefined if it can. */
export function unavailable(price: Price): string | undefined {
  const nowUnix = nowMs() / 1000;
  if (price.status === 'sold_out') return 'Sold out';
  if (startOf(price, nowUnix) !== undefined) return 'Not on sale yet';
  if (hasEnded(price, nowUnix)) return 'Sale has ended';
  return price.eligible === false ? reasons[price.missing?.[0] ?? 'phase'] : undefined;
}

/** The most that a page offers of a price at once. */
export const mostOf = ({ left = 10, max_per_order }: Price): number => Math.min(10, left, max_per_order ?? 10);
