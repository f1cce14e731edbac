import { type Basket, basketStatusAt } from '../baskets/basket.ts';
import type { Offer } from '../baskets/offer.ts';
import { eventOffSaleReason } from '../events/event.ts';
import { type Phase, phasesOfPrice } from '../phases/phase.ts';

/**
 * `unconfirmed`: somebody asked for an address that nobody has proved. It has no place, closes no stock and is offered nothing. `waiting`: in
 * the queue; then a place may be offered. The others are final: the person can join again.
 */
export const entryStatuses = ['unconfirmed', 'waiting', 'offered', 'bought', 'left', 'passed'] as const;
export type EntryStatus = (typeof entryStatuses)[number];

/** What somebody waits for. */
export interface Wish {
  readonly priceIndex: number;
  readonly quantity: number;
  /** Whether fewer tickets are welcome, too. */
  readonly acceptLess: boolean;
}

/** A person in the waiting list of a price. It has one entry, also if the person joins again. */
export interface WaitingEntry extends Wish {
  readonly entryId: string;
  readonly eventId: number;
  readonly emailAddress: string;
  /** The linked fan who joined; null if nobody was signed in. */
  readonly userId: number | null;
  readonly status: EntryStatus;
  /** The place in the queue: sorts by the time of joining. */
  readonly place: string;
  readonly joinedUnix: number;
  /** The basket with the tickets that were offered; null if none were. */
  readonly basketId: number | null;
  readonly offerUntilUnix: number | null;
  /** How many tickets the offer has; null if there is none, or if an earlier release made it. */
  readonly offeredQuantity: number | null;
  /** When a request to confirm the address was announced last; null if none was. */
  readonly requestAnnouncedUnix: number | null;
  /** When the request began that is to be confirmed, or was; its `confirm_token` is no other's. Null if it is of an earlier release. */
  readonly requestedUnix: number | null;
  readonly version: number;
}

/** Somebody in the queue. The place alone says what is needed to find out who fits. */
export interface QueuedWish extends Wish {
  readonly entryId: string;
  readonly place: string;
}

/** How long an offer is held, and how long before the end of the sale the list ends: every offer can be paid in time. */
export const offerSeconds = 86_400;

/** Anybody can type an address, so the organisation is asked to write to it once a day. */
const requestSeconds = 86_400;

export function mayAnnounceRequest(
  before: Pick<WaitingEntry, 'requestAnnouncedUnix'> | undefined,
  nowUnix: number,
): boolean {
  return nowUnix >= (before?.requestAnnouncedUnix ?? -Infinity) + requestSeconds;
}

/** Ended entries, and those that nobody confirms, are deleted later. */
export const keptSeconds = 30 * 86_400;

/** What of an offer says when its sale ends. */
type Sale = Pick<Offer, 'event' | 'price' | 'phases'>;

/** The second from which on nothing is offered to those who wait for a price. A hold never ends after the start of the event. */
export function listEndUnix({ event, price, phases }: Sale): number {
  const ends = [price.availableUntilUnix, lastPhaseEnd(phasesOfPrice(phases, price.index)), event.startUnix];
  return Math.min(...ends.filter((unix) => unix !== null)) - offerSeconds;
}

/** Phases that are added later extend the sale. */
function lastPhaseEnd(phases: readonly Phase[]): number | null {
  const ends = phases.map(({ untilUnix }) => untilUnix).filter((unix) => unix !== null);
  return ends.length === 0 || ends.length < phases.length ? null : Math.max(...ends);
}

/** Whether the list of a price has ended: then nobody waits in it any more, also if the sale is extended later. */
export function isListOver(offer: Sale, nowUnix: number): boolean {
  return offer.event.cancelledUnix !== null || nowUnix >= listEndUnix(offer);
}

/** Whether tickets of the price are offered to those who wait, as far as event and time say. A list that is neither open nor over is paused. */
export function isListOpen(offer: Sale, nowUnix: number): boolean {
  return eventOffSaleReason(offer.event, offer.price, nowUnix) === undefined && !isListOver(offer, nowUnix);
}

/** How an offer ended, by its basket; undefined while it can be paid. */
export function endOfOffer(
  basket: Basket | undefined,
  { isCancelled, nowUnix }: { readonly isCancelled: boolean; readonly nowUnix: number },
): 'bought' | 'left' | 'passed' | undefined {
  if (basket === undefined) return 'passed';
  switch (basketStatusAt(basket, nowUnix)) {
    case 'checked_out':
      return 'bought';
    case 'expired':
      return 'passed';
    case 'cancelled':
      return isCancelled ? 'passed' : 'left';
    default:
      return undefined;
  }
}

/** The status that an entry has now: the basket says how its offer ended, and the time whether the list has. */
export function statusAt(
  { status }: Pick<WaitingEntry, 'status'>,
  {
    offer,
    basket,
    nowUnix,
  }: { readonly offer: Offer | undefined; readonly basket: Basket | undefined; readonly nowUnix: number },
): EntryStatus {
  if (status === 'offered') {
    return endOfOffer(basket, { isCancelled: offer?.event.cancelledUnix != null, nowUnix }) ?? status;
  }
  return status === 'waiting' && (offer === undefined || isListOver(offer, nowUnix)) ? 'passed' : status;
}
