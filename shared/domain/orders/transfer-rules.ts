import { emailIdentity } from '../customers/customer.ts';
import { transferOf, transferUntilUnix } from '../prices/ticket-rules.ts';
import { type PassageLog, wasAtGate } from '../scans/evaluate.ts';
import { isHeldBy } from './held-tickets.ts';
import type { OrderWithTickets, TicketRecord } from './order.ts';
import type { TicketContext } from './shown-order.ts';
import {
  maxOffers,
  maxTransfers,
  offerEndUnix,
  type TransferOffer,
  type TransferStatus,
  transferStatus,
  withoutEndedAddresses,
} from './transfer.ts';

/** What a barcode says about transfers. */
interface OfferedBarcode {
  readonly ticket: TicketRecord;
  readonly log: PassageLog;
  /** Those of this barcode, the oldest first. */
  readonly offers: readonly TransferOffer[];
  /** How many offers of the ticket were made, also under other barcodes. */
  readonly offered: number;
  /** The refund that the buyer has asked for, while it is under way. */
  readonly endingWith: number | undefined;
}

/** A ticket as it is now. */
export interface OfferedTicket {
  readonly placed: OrderWithTickets;
  readonly ticket: TicketRecord;
  readonly row: OfferedBarcode;
  /** The barcodes that it had before. */
  readonly former: readonly Pick<OfferedBarcode, 'offers'>[];
}

export type TransferRefusal =
  /** The fan does not hold the ticket any more, or the order does not have it. */
  | { readonly reason: 'not_held' }
  | { readonly reason: 'not_active' | 'scanned' | 'not_transferable' | 'too_many_transfers' | 'event_cancelled' }
  /** So many hours before the start of the event it could be given away. */
  | { readonly reason: 'too_late'; readonly hours: number }
  | { readonly reason: 'own_address' | 'offer_pending' | 'too_many_offers' }
  /** No offer has this number and this token. */
  | { readonly reason: 'offer_unknown' }
  | { readonly reason: 'offer_ended'; readonly status: Exclude<TransferStatus, 'offered'> };

export interface RefusedTransfer {
  readonly refusal: TransferRefusal;
}

const refused = (reason: Exclude<TransferRefusal['reason'], 'too_late' | 'offer_ended'>): RefusedTransfer => ({
  refusal: { reason },
});

const active = 1;

type Rules = Pick<TicketContext, 'price' | 'event'>;

/** Why a ticket cannot be given away now, whoever wants it. */
function notTransferable({ ticket, log, endingWith }: OfferedBarcode, { price, event }: Rules, nowUnix: number) {
  if (ticket.status !== active || endingWith !== undefined) return refused('not_active');
  if (wasAtGate(log)) return refused('scanned');
  if (transferOf(price) === 'none') return refused('not_transferable');
  if ((ticket.transfers?.former.length ?? 0) >= maxTransfers) return refused('too_many_transfers');
  if (event.cancelledUnix !== null) return refused('event_cancelled');
  if (nowUnix < transferUntilUnix(price, event)) return undefined;
  return { refusal: { reason: 'too_late', hours: price.transferUntilHours ?? 0 } } as const;
}

interface NewOffer {
  readonly emailAddress: string;
  readonly tokenHash: string;
  /** The customer who offers it; undefined if the organisation does. */
  readonly fanId: number | undefined;
}

/** The offers of a ticket after it was offered to somebody, or why it is not. */
export function offerTo(
  state: OfferedTicket,
  { emailAddress, tokenHash, fanId }: NewOffer,
  rules: Rules,
  nowUnix: number,
): readonly TransferOffer[] | RefusedTransfer {
  const { offers, offered } = state.row;
  if (!isHeldByFan(state, fanId)) return refused('not_held');
  const refusal = notTransferable(state.row, rules, nowUnix);
  if (refusal !== undefined) return refusal;
  if (isOwnAddress(state, emailAddress)) return refused('own_address');
  if (offers.some((offer) => transferStatus(offer, nowUnix) === 'offered')) return refused('offer_pending');
  if (offers.length >= maxOffers) return refused('too_many_offers');
  const expiresUnix = offerEndUnix(nowUnix, transferUntilUnix(rules.price, rules.event));
  const made = { number: offered + 1, emailAddress, tokenHash, offeredUnix: nowUnix, expiresUnix };
  // Only the address of the last offer leads to the row, so earlier addresses are not kept.
  return [...offers.map((earlier) => ({ ...earlier, emailAddress: null })), { ...made, state: 'offered' }];
}

/** The ticket may have been given to somebody else since it was found. */
function isHeldByFan({ ticket, placed }: OfferedTicket, fanId: number | undefined): boolean {
  return fanId === undefined || isHeldBy(ticket, placed.order, fanId);
}

/** Whether the recipient is the buyer of a ticket that was never given away. */
function isOwnAddress({ ticket, placed }: OfferedTicket, emailAddress: string): boolean {
  const { emailAddress: buyer } = placed.order;
  return ticket.transfers === undefined && buyer !== null && emailIdentity(buyer) === emailIdentity(emailAddress);
}

/** The offers of a ticket after one was cancelled, or why it is not. */
export function cancelOffer(
  state: OfferedTicket,
  { number, fanId }: { readonly number: number; readonly fanId: number | undefined },
  nowUnix: number,
): readonly TransferOffer[] | RefusedTransfer {
  const isNamed = (offer: TransferOffer): boolean => offer.number === number;
  if (!isHeldByFan(state, fanId)) return refused('not_held');
  if (state.former.some(({ offers }) => offers.some(isNamed))) return ended('accepted');
  const { offers } = state.row;
  if (!offers.some(isNamed)) return refused('offer_unknown');
  const cancelled = offers.map((offer): TransferOffer => (isNamed(offer) ? { ...offer, state: 'cancelled' } : offer));
  return withoutEndedAddresses(cancelled, nowUnix);
}

interface TokenOfOffer {
  readonly number: number;
  /** Whether the token that was sent has this hash. */
  readonly hasHash: (hash: string) => boolean;
  /** The customer who signed in to accept it; null if nobody did. */
  readonly userId: number | null;
}

/**
 * The offer that somebody accepts with its token, under whatever barcode it was made, or why nobody can. Undefined if the
 * person has accepted it already. A wrong token looks like a missing transfer.
 */
export function acceptOffer(
  state: OfferedTicket,
  { number, hasHash, userId }: TokenOfOffer,
  rules: Rules,
  nowUnix: number,
): TransferOffer | RefusedTransfer | undefined {
  const offer = [...state.former, state.row].flatMap(({ offers }) => offers).find((one) => one.number === number);
  if (offer === undefined || !hasHash(offer.tokenHash)) return refused('offer_unknown');
  const status = transferStatus(offer, nowUnix);
  // The response to the fan was lost. Anyone else could be who made the offer, and knows the token too.
  if (status === 'accepted' && userId !== null && isHeldBy(state.ticket, state.placed.order, userId)) return undefined;
  if (status !== 'offered') return ended(status);
  return notTransferable(state.row, rules, nowUnix) ?? offer;
}

function ended(status: Exclude<TransferStatus, 'offered'>): RefusedTransfer {
  return { refusal: { reason: 'offer_ended', status } };
}
