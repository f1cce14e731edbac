import { readPricedEvent } from '../../data/prices/read.ts';
import { readEventSlices, stocksOf } from '../../data/prices/stock.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { SideEffects } from '../../data/table/transact.ts';
import { joinWaitingList } from '../../data/waiting-list/join.ts';
import { offerIn, readEntry } from '../../data/waiting-list/read.ts';
import type { WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { joinRefusal } from '../../domain/waiting-list/join-refusal.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { SaleContext } from '../baskets/sale-context.ts';
import { entryStatusNow } from './entry-status.ts';
import { done, type EntryOutcome, refusedBy } from './outcome.ts';
import { readLimitRefusal } from './wait-refusal.ts';

/**
 * Puts the person of an unconfirmed entry at the end of the queue. The entry is that of the linked fan who confirms, or of nobody but
 * its address: a fan who only typed it must not be able to end it. An entry that is in the list, or has ended, stays as it is: a link that is
 * opened again changes nothing.
 */
export function confirmEntry(
  context: SaleContext,
  { eventId, entryId, userId }: Pick<WaitingEntry, 'eventId' | 'entryId' | 'userId'>,
  isAllowed: (entry: WaitingEntry) => Promise<boolean>,
  sideEffects: SideEffects<WaitingEntry>,
): Promise<EntryOutcome> {
  const { table, orgId, clock, isPublic } = context;
  return retryRaces('waiting list', async () => {
    const before = await readEntry(table, orgId, { eventId, entryId });
    if (before === undefined || !(await isAllowed(before))) return refusedBy({ reason: 'entry_unknown' });
    const [priced, slices] = await Promise.all([
      readPricedEvent(table, orgId, eventId),
      readEventSlices(table, orgId, eventId),
    ]);
    if (priced === undefined) return refusedBy({ reason: 'event_unknown' });
    const offer = offerIn(priced, before.priceIndex);
    if (before.status !== 'unconfirmed') {
      return done({ ...before, status: await entryStatusNow(context, before, offer) });
    }
    if (offer === undefined) return refusedBy({ reason: 'entry_unknown' });
    const { quantity, emailAddress } = before;
    const wish = { quantity, linkedUserId: userId, emailAddress };
    const refusal =
      joinRefusal({ offer, stocks: stocksOf(slices), quantity, nowUnix: unixSeconds(clock) }) ??
      // The organisation's own server decides for itself whom it enters.
      (isPublic ? await readLimitRefusal(context, offer, wish) : undefined);
    if (refusal !== undefined) return refusedBy(refusal);
    const seen = { orgId, eventId, slices };
    const wanted = { ...before, userId };
    const joined = await joinWaitingList(table, { offer, seen, before, wanted, nowMs: clock.nowMs() }, sideEffects);
    return joined && done(joined);
  });
}
