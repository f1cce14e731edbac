import { endPaidAndPassedOffers } from '../../checkout/end-waiting-offers.ts';
import type { PricedEvent } from '../../data/prices/read.ts';
import { readEventSlices, stocksOf } from '../../data/prices/stock.ts';
import { personHash } from '../../data/table/hash-key.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { SideEffects } from '../../data/table/transact.ts';
import { joinWaitingList, requestPlace } from '../../data/waiting-list/join.ts';
import { offerIn, readEntry } from '../../data/waiting-list/read.ts';
import { entryIdOf } from '../../data/waiting-list/row.ts';
import { isOfferInCatalogue, type Offer } from '../../domain/baskets/offer.ts';
import { parseId } from '../../domain/ids.ts';
import { mayAnnounceRequest, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import type { JoinWaitingListBody } from '../../operations/waiting-lists/join-waiting-list.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { referenceMissing } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { checkMayWait } from './check-may-wait.ts';
import { entryStatusNow } from './entry-status.ts';
import { checkIsVisible, requirePricedEvent } from './event-from-path.ts';
import type { FanRequest } from './sale-context.ts';
import { indexInEvent } from './shown-price.ts';
import { checkJoinable, checkSameWish } from './waiting-list-problems.ts';

type JoinDeps = FanRequest;

interface Joining {
  readonly eventId: number;
  readonly body: JoinWaitingListBody;
  /** The linked fan who joins; null if nobody is signed in. */
  readonly userId: number | null;
}

/**
 * Puts a person into the list of a price, or finds the entry that the person has: for the organisation's server, and for a fan with an
 * address that is known to be the fan's own. Throws the problem if there is nothing to wait for.
 */
export function joinList(
  deps: JoinDeps,
  joining: Joining,
  sideEffects: SideEffects<WaitingEntry>,
): Promise<WaitingEntry> {
  return retryRaces('waiting list', async () => {
    const read = await readJoining(deps, joining);
    if (read === undefined) return undefined;
    const { before, wanted, offer, slices, isInList, nowMs } = read;
    if (before !== undefined && isInList) {
      checkSameWish(before, wanted);
      return before;
    }
    checkJoinable(read);
    await checkMayWait(deps, offer, { ...wanted, linkedUserId: joining.userId });
    const seen = { orgId: deps.caller.orgId, eventId: joining.eventId, slices };
    return joinWaitingList(deps.table, { offer, seen, before, wanted, nowMs }, sideEffects);
  });
}

/**
 * Stores that somebody typed an address, which its owner has to confirm. What is judged, and returned, is the same for every address:
 * nobody learns whether it waits, for how many tickets, or what it has bought (ADR 65). Returns the id of the entry.
 */
export function requestToJoin(
  deps: JoinDeps,
  joining: Joining,
  sideEffects: Parameters<typeof requestPlace>[2],
): Promise<string> {
  const { orgId } = deps.caller;
  return retryRaces('waiting list', async () => {
    const read = await readJoining(deps, joining);
    if (read === undefined) return undefined;
    const { before, wanted, offer, isInList, nowUnix, nowMs } = read;
    checkJoinable(read);
    const person = { linkedUserId: joining.userId, emailAddress: null };
    await checkMayWait(deps, offer, { ...person, quantity: wanted.quantity });
    // What the mail of today asks to confirm stays as it is: others may have typed the address again.
    const isAsked = before?.status === 'unconfirmed' && !mayAnnounceRequest(before, nowUnix);
    if (isInList || isAsked) return wanted.entryId;
    const entry = await requestPlace(deps.table, { orgId, before, wanted, nowMs }, sideEffects);
    return entry?.entryId;
  });
}

/** Undefined if an offer of the person has ended and had to be announced first: read again. */
async function readJoining(deps: JoinDeps, { eventId, body, userId }: Joining) {
  const { table, caller, clock } = deps;
  const { orgId } = caller;
  const [nowMs, nowUnix] = [clock.nowMs(), unixSeconds(clock)];
  const [priced, slices, hash] = await Promise.all([
    requirePricedEvent(table, orgId, eventId),
    readEventSlices(table, orgId, eventId),
    personHash(table),
  ]);
  checkIsVisible(caller, priced.event);
  const offer = shownOffer(caller, priced, parseId(String(body.price_id)) ?? 0);
  const { index: priceIndex } = offer.price;
  const emailAddress = body.email.trim();
  const entryId = entryIdOf(orgId, { eventId, priceIndex, emailAddress }, hash);
  const { quantity, accept_less: acceptLess } = body;
  const wanted = { eventId, entryId, priceIndex, quantity, acceptLess, emailAddress, userId };
  const before = await readEntry(table, orgId, { eventId, entryId });
  const isInList = before?.status === 'waiting' || before?.status === 'offered';
  if (before?.status === 'offered' && (await entryStatusNow(deps, before, offer)) !== 'offered') {
    await endPaidAndPassedOffers(deps, { orgId, eventId }, priced.event);
    return undefined;
  }
  return { before, wanted, offer, slices, stocks: stocksOf(slices), quantity, isInList, nowMs, nowUnix };
}

/** To the public, a price that needs a code looks like a missing one. */
function shownOffer({ kind }: Caller, priced: PricedEvent, priceId: number): Offer {
  const offer = offerIn(priced, indexInEvent(priceId, priced.event.eventId) ?? 0);
  const isShown = offer !== undefined && isOfferInCatalogue(offer) && offer.revealedBy.length === 0;
  if (offer === undefined || (kind === 'storefront' && !isShown))
    throw referenceMissing('price of the event', 'price_id');
  return offer;
}
