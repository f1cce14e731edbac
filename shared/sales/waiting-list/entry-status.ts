import { readOfferedBaskets } from '../../data/waiting-list/read.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { type EntryStatus, statusAt, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { SaleContext } from '../baskets/sale-context.ts';

/** The status that an entry has now, by the basket of its offer. The row may not say it yet. */
export async function entryStatusNow(
  { table, orgId, clock }: SaleContext,
  entry: WaitingEntry,
  offer: Offer | undefined,
): Promise<EntryStatus> {
  const offered = entry.status === 'offered' ? [entry] : [];
  const baskets = await readOfferedBaskets(table, orgId, offered);
  return statusAt(entry, { offer, basket: baskets.get(entry.basketId ?? 0), nowUnix: unixSeconds(clock) });
}
