import { endEntry } from '../../data/waiting-list/change.ts';
import { readEntry, readOfferedBaskets, readOpenOffers } from '../../data/waiting-list/read.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { endOfOffer } from '../../domain/waiting-list/entry.ts';
import { waitingListEvent } from '../../mappers/waiting-entry.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { ListRef, WaitingListDeps } from './waiting-list-deps.ts';

/**
 * Ends the entries whose offers were bought, cancelled or not paid in time, and announces the last. The baskets say which these are.
 * Returns how many offers can still be paid.
 */
export async function endPaidAndPassedOffers(
  { table, clock }: Pick<WaitingListDeps, 'table' | 'clock'>,
  { orgId, eventId }: ListRef,
  { cancelledUnix }: Pick<EventRecord, 'cancelledUnix'>,
): Promise<number> {
  const nowUnix = unixSeconds(clock);
  const offers = await readOpenOffers(table, orgId, eventId);
  const baskets = await readOfferedBaskets(table, orgId, offers);
  let open = 0;
  for (const { basketId, entryId } of offers) {
    const status = endOfOffer(baskets.get(basketId), { isCancelled: cancelledUnix !== null, nowUnix });
    if (status === undefined) {
      open += 1;
      continue;
    }
    const before = await readEntry(table, orgId, { eventId, entryId });
    // Somebody else has ended it meanwhile, and removed the offer.
    if (before?.status !== 'offered' || before.basketId !== basketId) continue;
    await endEntry(table, { orgId, before, nowUnix }, { status }, (entry) =>
      status === 'passed'
        ? outboxItems(table, orgId, waitingListEvent('waiting_list.expired', entry), {
            nowMs: clock.nowMs(),
            requestId: undefined,
          })
        : [],
    );
  }
  return open;
}
