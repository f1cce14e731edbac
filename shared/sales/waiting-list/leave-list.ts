import { readPricedEvent } from '../../data/prices/read.ts';
import { readEventSlices } from '../../data/prices/stock.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { endEntry } from '../../data/waiting-list/change.ts';
import { isClosedStock, touchClosedStock } from '../../data/waiting-list/closed-stock.ts';
import { offerIn, readEntry, readOfferedBaskets } from '../../data/waiting-list/read.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { cancelBasket } from '../../domain/baskets/changes.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { stockIndexes } from '../../domain/prices/pool.ts';
import { statusAt, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { changeBasketEndingPayment } from '../baskets/end-waiting-payment.ts';
import type { CheckoutDeps } from '../deps.ts';
import { done, type EntryOutcome, refusedBy } from './outcome.ts';

/** Takes a person off the list. What is offered to the person is released first: a crash in between ends the entry later. */
export function leaveList(
  deps: CheckoutDeps,
  ref: Pick<WaitingEntry, 'eventId' | 'entryId'>,
  isAllowed: (entry: WaitingEntry) => boolean,
): Promise<EntryOutcome> {
  const { table, orgId } = deps;
  return retryRaces('waiting list', async () => {
    const entry = await readEntry(table, orgId, ref);
    if (entry === undefined || !isAllowed(entry)) return refusedBy({ reason: 'entry_unknown' });
    const priced = await readPricedEvent(table, orgId, ref.eventId);
    if (priced === undefined) return refusedBy({ reason: 'event_unknown' });
    const offer = offerIn(priced, entry.priceIndex);
    switch (entry.status) {
      case 'unconfirmed':
        // It has no place and no offer.
        return leave(deps, entry);
      case 'waiting':
        return leave(deps, entry, await touchedStock(deps, entry, offer));
      case 'offered':
        return leaveOffer(deps, entry, offer);
      default:
        return done(entry);
    }
  });
}

/** The worker of the stream opens the stock if nobody else waits. */
async function touchedStock(
  { table, orgId }: CheckoutDeps,
  { eventId }: WaitingEntry,
  offer: Offer | undefined,
): Promise<readonly TransactItem[]> {
  const seen = { orgId, eventId, slices: await readEventSlices(table, orgId, eventId) };
  const closed = offer === undefined ? [] : stockIndexes(offer.price).filter((index) => isClosedStock(seen, index));
  return closed.map((index) => touchClosedStock(table, seen, index));
}

async function leaveOffer(
  deps: CheckoutDeps,
  entry: WaitingEntry,
  offer: Offer | undefined,
): Promise<EntryOutcome | undefined> {
  const { table, orgId, clock } = deps;
  const { basketId } = entry;
  if (basketId === null) return done(entry);
  const nowUnix = unixSeconds(clock);
  const basket = (await readOfferedBaskets(table, orgId, [entry])).get(basketId);
  const status = statusAt(entry, { offer, basket, nowUnix });
  if (status !== 'offered') return done({ ...entry, status });
  const decide = (current: Basket) => cancelBasket(current, nowUnix);
  const cancelled = await changeBasketEndingPayment(deps, { basketId, decide });
  if (cancelled.outcome === 'missing') return refusedBy({ reason: 'basket_unknown' });
  if (cancelled.outcome === 'refused') return refusedBy(cancelled.refusal);
  return leave(deps, entry);
}

/** Undefined if another process has changed the entry. */
async function leave(
  { table, orgId, clock }: CheckoutDeps,
  before: WaitingEntry,
  touched: readonly TransactItem[] = [],
): Promise<EntryOutcome | undefined> {
  const left = await endEntry(table, { orgId, before, nowUnix: unixSeconds(clock) }, { status: 'left', touched });
  return left && done(left);
}
