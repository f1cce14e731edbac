import { endPaidAndPassedOffers } from '../../checkout/end-waiting-offers.ts';
import type { PricedEvent } from '../../data/prices/read.ts';
import { readEventSlices, stocksOf } from '../../data/prices/stock.ts';
import { personHash } from '../../data/table/hash-key.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { SideEffects } from '../../data/table/transact.ts';
import { joinWaitingList } from '../../data/waiting-list/join.ts';
import { offerIn, readEntry, readOfferedBaskets } from '../../data/waiting-list/read.ts';
import { entryIdOf } from '../../data/waiting-list/row.ts';
import { isOfferInCatalogue, type Offer } from '../../domain/baskets/offer.ts';
import { parseId } from '../../domain/ids.ts';
import { statusAt, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import type { JoinWaitingListBody } from '../../operations/waiting-lists/join-waiting-list.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { referenceMissing } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { checkMayWait } from './check-may-wait.ts';
import { checkIsVisible, requirePricedEvent } from './event-from-path.ts';
import type { FanRequest } from './offer-for-fan.ts';
import { indexInEvent } from './shown-price.ts';
import { checkJoinable, checkSameWish } from './waiting-list-problems.ts';

type JoinDeps = FanRequest;

export interface Joined {
  readonly entry: WaitingEntry;
  /** Whether the person was in the list already. */
  readonly isRepeated: boolean;
}

interface Joining {
  readonly eventId: number;
  readonly body: JoinWaitingListBody;
  /** The linked fan who joins; null if nobody is signed in. */
  readonly userId: number | null;
}

/** Puts a person into the list of a price, or finds the entry that the person has. Throws the problem if there is nothing to wait for. */
export function joinList(
  deps: JoinDeps,
  { eventId, body, userId }: Joining,
  sideEffects: SideEffects<WaitingEntry>,
): Promise<Joined> {
  const { table, caller, clock } = deps;
  const { orgId } = caller;
  return retryRaces('waiting list', async (): Promise<Joined | undefined> => {
    const nowMs = clock.nowMs();
    const nowUnix = Math.floor(nowMs / 1000);
    const [priced, slices, hash] = await Promise.all([
      requirePricedEvent(table, orgId, eventId),
      readEventSlices(table, orgId, eventId),
      personHash(table),
    ]);
    checkIsVisible(caller, priced.event);
    const offer = shownOffer(caller, priced, parseId(String(body.price_id)) ?? 0);
    const { index: priceIndex } = offer.price;
    const emailAddress = body.email.trim();
    const wish = { priceIndex, quantity: body.quantity, acceptLess: body.accept_less };
    const entryId = entryIdOf(orgId, { eventId, priceIndex, emailAddress }, hash);
    const before = await readEntry(table, orgId, { eventId, entryId });
    const status = before && (await statusNow(deps, before, offer));
    if (before !== undefined && status === 'in_list') {
      checkSameWish(before, wish);
      return { entry: before, isRepeated: true };
    }
    if (status === 'offer_ended') {
      // The end of the last offer is announced first.
      await endPaidAndPassedOffers(deps, { orgId, eventId }, priced.event);
      return undefined;
    }
    checkJoinable({ offer, stocks: stocksOf(slices), quantity: body.quantity, nowUnix });
    await checkMayWait(deps, offer, { quantity: body.quantity, linkedUserId: userId, emailAddress });
    const wanted = { ...wish, entryId, emailAddress, userId };
    const joining = { offer, seen: { orgId, eventId, slices }, before, wanted, nowMs };
    const entry = await joinWaitingList(table, joining, sideEffects);
    return entry && { entry, isRepeated: false };
  });
}

/** To the public, a price that needs a code looks like a missing one. */
function shownOffer({ kind }: Caller, priced: PricedEvent, priceId: number): Offer {
  const offer = offerIn(priced, indexInEvent(priceId, priced.event.eventId) ?? 0);
  const isShown = offer !== undefined && isOfferInCatalogue(offer) && offer.revealedBy.length === 0;
  if (offer === undefined || (kind === 'storefront' && !isShown))
    throw referenceMissing('price of the event', 'price_id');
  return offer;
}

/** Whether somebody is in the list, or the row says so although the offer has ended meanwhile. */
async function statusNow(
  { table, caller, clock }: JoinDeps,
  entry: WaitingEntry,
  offer: Offer,
): Promise<'in_list' | 'offer_ended' | 'ended'> {
  if (entry.status !== 'offered') return entry.status === 'waiting' ? 'in_list' : 'ended';
  const baskets = await readOfferedBaskets(table, caller.orgId, [entry]);
  const basket = baskets.get(entry.basketId ?? 0);
  const status = statusAt(entry, { offer, basket, nowUnix: unixSeconds(clock) });
  return status === 'offered' ? 'in_list' : 'offer_ended';
}
