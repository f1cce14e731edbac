import type { CheckoutDeps } from '../../checkout/deps.ts';
import { changeBasketEndingPayment } from '../../checkout/end-waiting-payment.ts';
import { readEventSlices } from '../../data/prices/stock.ts';
import { retryRaces } from '../../data/table/retry.ts';
import { endEntry } from '../../data/waiting-list/change.ts';
import { isClosedStock, touchClosedStock } from '../../data/waiting-list/closed-stock.ts';
import { offerIn, readEntry, readOfferedBaskets } from '../../data/waiting-list/read.ts';
import { cancelBasket } from '../../domain/baskets/changes.ts';
import { stockIndexes } from '../../domain/prices/pool.ts';
import { statusAt, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { Deps } from '../pipeline.ts';
import { notFound } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { requirePricedEvent } from './event-from-path.ts';
import { unwrapBasketChange } from './unwrap-basket-change.ts';

type LeaveDeps = Pick<Deps, 'table' | 'clock' | 'requestId'> &
  Pick<CheckoutDeps, 'payments'> & { readonly caller: Caller };

/** Takes a person off the list. What is offered to the person is released first: a crash in between ends the entry later. */
export function leaveList(
  deps: LeaveDeps,
  ref: Pick<WaitingEntry, 'eventId' | 'entryId'>,
  isAllowed: (entry: WaitingEntry) => boolean,
): Promise<WaitingEntry> {
  const { table, clock, requestId, payments } = deps;
  const { orgId } = deps.caller;
  return retryRaces('waiting list', async () => {
    const entry = await readEntry(table, orgId, ref);
    if (entry === undefined || !isAllowed(entry)) throw notFound('waiting list entry');
    const priced = await requirePricedEvent(table, orgId, ref.eventId);
    const nowUnix = unixSeconds(clock);
    const offer = offerIn(priced, entry.priceIndex);
    // It has no place and no offer.
    if (entry.status === 'unconfirmed') return endEntry(table, { orgId, before: entry, nowUnix }, { status: 'left' });
    if (entry.status === 'waiting') {
      const seen = { orgId, eventId: ref.eventId, slices: await readEventSlices(table, orgId, ref.eventId) };
      const closed = offer === undefined ? [] : stockIndexes(offer.price).filter((index) => isClosedStock(seen, index));
      // The worker of the stream opens the stock if nobody else waits.
      const touched = closed.map((index) => touchClosedStock(table, seen, index));
      return endEntry(table, { orgId, before: entry, nowUnix }, { status: 'left', touched });
    }
    if (entry.status !== 'offered' || entry.basketId === null) return entry;
    const { basketId } = entry;
    const basket = (await readOfferedBaskets(table, orgId, [entry])).get(basketId);
    const status = statusAt(entry, { offer, basket, nowUnix });
    if (status !== 'offered') return { ...entry, status };
    const checkoutDeps = { table, orgId, clock, requestId, payments };
    const decide = (current: NonNullable<typeof basket>) => cancelBasket(current, nowUnix);
    const cancelled = await changeBasketEndingPayment(checkoutDeps, { basketId, decide });
    unwrapBasketChange(cancelled, nowUnix);
    return endEntry(table, { orgId, before: entry, nowUnix }, { status: 'left' });
  });
}
