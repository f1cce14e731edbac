import { type PricedEvent, readPricedEvent } from '../../data/prices/read.ts';
import { readEventSlices, stocksOf } from '../../data/prices/stock.ts';
import { personHash } from '../../data/table/hash-key.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { SideEffects } from '../../data/table/transact.ts';
import { joinWaitingList, requestPlace } from '../../data/waiting-list/join.ts';
import { offerIn, readEntry } from '../../data/waiting-list/read.ts';
import { entryIdOf } from '../../data/waiting-list/row.ts';
import { isOfferInCatalogue, type Offer } from '../../domain/baskets/offer.ts';
import { isInCatalogue } from '../../domain/events/event.ts';
import { priceOfId } from '../../domain/prices/price.ts';
import { mayAnnounceRequest, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { joinRefusal, rejoinRefusal } from '../../domain/waiting-list/join-refusal.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { SaleContext } from '../baskets/sale-context.ts';
import { endPaidAndPassedOffers } from './end-waiting-offers.ts';
import { entryStatusNow } from './entry-status.ts';
import { done, type EntryOutcome, refusedBy, type WaitingRefused } from './outcome.ts';
import { readWaitRefusal } from './wait-refusal.ts';

interface Joining {
  readonly eventId: number;
  /** Undefined if it cannot be an id. */
  readonly priceId: number | undefined;
  readonly emailAddress: string;
  readonly quantity: number;
  readonly acceptLess: boolean;
  /** The linked fan who joins; null if nobody is signed in. */
  readonly userId: number | null;
}

/**
 * Puts a person into the list of a price, or finds the entry that the person has: for the organisation's server, and for a fan with an
 * address that is known to be the fan's own.
 */
export function joinList(
  context: SaleContext,
  joining: Joining,
  sideEffects: SideEffects<WaitingEntry>,
): Promise<EntryOutcome> {
  const { table, orgId } = context;
  return retryRaces('waiting list', async () => {
    const read = await readJoining(context, joining);
    if (read === undefined || 'outcome' in read) return read;
    const { before, wanted, offer, slices, isInList, nowMs } = read;
    if (before !== undefined && isInList) {
      const other = rejoinRefusal(before, wanted);
      return other === undefined ? done(before) : refusedBy(other);
    }
    const refusal =
      joinRefusal(read) ?? (await readWaitRefusal(context, offer, { ...wanted, linkedUserId: joining.userId }));
    if (refusal !== undefined) return refusedBy(refusal);
    const seen = { orgId, eventId: joining.eventId, slices };
    const joined = await joinWaitingList(table, { offer, seen, before, wanted, nowMs }, sideEffects);
    return joined && done(joined);
  });
}

/**
 * Stores that somebody typed an address, which its owner has to confirm. What is judged, and returned, is the same for every address:
 * nobody learns whether it waits, for how many tickets, or what it has bought (ADR 65). Returns the id of the entry.
 */
export function requestToJoin(
  context: SaleContext,
  joining: Joining,
  sideEffects: Parameters<typeof requestPlace>[2],
): Promise<WaitingRefused | { readonly outcome: 'requested'; readonly entryId: string }> {
  const { table, orgId } = context;
  return retryRaces('waiting list', async () => {
    const read = await readJoining(context, joining);
    if (read === undefined || 'outcome' in read) return read;
    const { before, wanted, offer, isInList, nowUnix, nowMs } = read;
    const person = { linkedUserId: joining.userId, emailAddress: null };
    const refusal =
      joinRefusal(read) ?? (await readWaitRefusal(context, offer, { ...person, quantity: wanted.quantity }));
    if (refusal !== undefined) return refusedBy(refusal);
    const requested = { outcome: 'requested', entryId: wanted.entryId } as const;
    // What the mail of today asks to confirm stays as it is: others may have typed the address again.
    const isAsked = before?.status === 'unconfirmed' && !mayAnnounceRequest(before, nowUnix);
    if (isInList || isAsked) return requested;
    const entry = await requestPlace(table, { orgId, before, wanted, nowMs }, sideEffects);
    return entry && requested;
  });
}

/** Undefined if an offer of the person has ended and had to be announced first: read again. */
async function readJoining(context: SaleContext, { eventId, priceId, userId, ...wish }: Joining) {
  const { table, orgId, clock, isPublic } = context;
  const [nowMs, nowUnix] = [clock.nowMs(), unixSeconds(clock)];
  const [priced, slices, hash] = await Promise.all([
    readPricedEvent(table, orgId, eventId),
    readEventSlices(table, orgId, eventId),
    personHash(table),
  ]);
  if (priced === undefined || (isPublic && !isInCatalogue(priced.event))) return refusedBy({ reason: 'event_unknown' });
  const offer = shownOffer(priced, priceId, isPublic);
  if (offer === undefined) return refusedBy({ reason: 'price_of_event_unknown' });
  const { index: priceIndex } = offer.price;
  const { quantity, emailAddress } = wish;
  const entryId = entryIdOf(orgId, { eventId, priceIndex, emailAddress }, hash);
  const wanted = { ...wish, eventId, entryId, priceIndex, userId };
  const before = await readEntry(table, orgId, { eventId, entryId });
  const isInList = before?.status === 'waiting' || before?.status === 'offered';
  if (before?.status === 'offered' && (await entryStatusNow(context, before, offer)) !== 'offered') {
    await endPaidAndPassedOffers({ table, clock }, { orgId, eventId }, priced.event);
    return undefined;
  }
  return { before, wanted, offer, slices, stocks: stocksOf(slices), quantity, isInList, nowMs, nowUnix };
}

/** To the public, a price that needs a code looks like a missing one. An id of another event names nothing here. */
function shownOffer(priced: PricedEvent, priceId: number | undefined, isPublic: boolean): Offer | undefined {
  const ref = priceId === undefined ? undefined : priceOfId(priceId);
  const offer = ref?.eventId === priced.event.eventId ? offerIn(priced, ref.index) : undefined;
  const isShown = offer !== undefined && isOfferInCatalogue(offer) && offer.revealedBy.length === 0;
  return isPublic && !isShown ? undefined : offer;
}
