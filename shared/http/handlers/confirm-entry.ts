import { readEventSlices, stocksOf } from '../../data/prices/stock.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { SideEffects } from '../../data/table/transact.ts';
import { joinWaitingList } from '../../data/waiting-list/join.ts';
import { offerIn, readEntry } from '../../data/waiting-list/read.ts';
import type { WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { notFound } from '../problem.ts';
import { checkPersonLimit } from './check-may-wait.ts';
import { entryStatusNow } from './entry-status.ts';
import { requirePricedEvent } from './event-from-path.ts';
import type { FanRequest } from './sale-context.ts';
import { checkJoinable } from './waiting-list-problems.ts';

/**
 * Puts the person of an unconfirmed entry at the end of the queue. The entry is that of the linked fan who confirms, or of nobody but
 * its address: a fan who only typed it must not be able to end it. An entry that is in the list, or has ended, stays as it is: a link that is
 * opened again changes nothing. Throws the problem if there is nothing to wait for any more.
 */
export function confirmEntry(
  deps: FanRequest,
  { eventId, entryId, userId }: Pick<WaitingEntry, 'eventId' | 'entryId' | 'userId'>,
  isAllowed: (entry: WaitingEntry) => Promise<boolean>,
  sideEffects: SideEffects<WaitingEntry>,
): Promise<WaitingEntry> {
  const { table, caller, clock } = deps;
  const { orgId, storefront } = caller;
  return retryRaces('waiting list', async () => {
    const before = await readEntry(table, orgId, { eventId, entryId });
    if (before === undefined || !(await isAllowed(before))) throw notFound('waiting list entry');
    const [priced, slices] = await Promise.all([
      requirePricedEvent(table, orgId, eventId),
      readEventSlices(table, orgId, eventId),
    ]);
    const offer = offerIn(priced, before.priceIndex);
    if (before.status !== 'unconfirmed') return { ...before, status: await entryStatusNow(deps, before, offer) };
    if (offer === undefined) throw notFound('waiting list entry');
    const { quantity, emailAddress } = before;
    checkJoinable({ offer, stocks: stocksOf(slices), quantity, nowUnix: unixSeconds(clock) });
    // The organisation's own server decides for itself whom it enters.
    if (storefront !== undefined) {
      await checkPersonLimit(deps, offer, { quantity, linkedUserId: userId, emailAddress });
    }
    const seen = { orgId, eventId, slices };
    const wanted = { ...before, userId };
    return joinWaitingList(table, { offer, seen, before, wanted, nowMs: clock.nowMs() }, sideEffects);
  });
}
