/** What is stored of an offer to give a ticket away. An offer that nobody accepted is expired by the clock. */
export type OfferState = 'offered' | 'accepted' | 'cancelled';
export type TransferStatus = OfferState | 'expired';

export interface TransferOffer {
  /** From 1, counted over all holders of the ticket. */
  readonly number: number;
  /** Whom it was offered to; null if it has ended without being accepted, or the person was erased. */
  readonly emailAddress: string | null;
  /** The token of the link is never stored. */
  readonly tokenHash: string;
  readonly offeredUnix: number;
  readonly expiresUnix: number;
  readonly state: OfferState;
}

/** A barcode that the ticket had before it was given away. */
export interface FormerBarcode {
  readonly barcode: string;
  /** When it became void. */
  readonly untilUnix: number;
}

/** What a ticket remembers that was given away at least once. The buyer stays the owner of the money. */
export interface TicketTransfers {
  /** The customer who holds the ticket now; null if the person did not sign in. */
  readonly toUserId: number | null;
  readonly former: readonly FormerBarcode[];
}

/** The offers without the addresses of those that have ended without being accepted. The address of an accepted one leads to who has the ticket. */
export function withoutEndedAddresses(offers: readonly TransferOffer[], nowUnix: number): readonly TransferOffer[] {
  const isKept = (offer: TransferOffer) => ['offered', 'accepted'].includes(transferStatus(offer, nowUnix));
  return offers.map((offer) => (isKept(offer) ? offer : { ...offer, emailAddress: null }));
}

/** Long enough to read an email, short enough that a forgotten offer does not block the ticket. */
const offerSeconds = 7 * 86_400;
/** So that the row of a barcode, which gates read, stays small. */
export const maxOffers = 5;
export const maxTransfers = 5;

export function transferStatus({ state, expiresUnix }: TransferOffer, nowUnix: number): TransferStatus {
  return state === 'offered' && nowUnix >= expiresUnix ? 'expired' : state;
}

/** When an offer that is made now ends: never after the ticket could be given away. */
export function offerEndUnix(nowUnix: number, untilUnix: number): number {
  return Math.min(nowUnix + offerSeconds, untilUnix);
}

const idPattern = /^([1-9]\d{0,15})-([1-9]\d{0,2})$/;

export function transferIdOf(ticketId: number, { number }: Pick<TransferOffer, 'number'>): string {
  return `${ticketId}-${number}`;
}

/** The ticket and the offer that an id names; undefined if the text cannot be one. */
export function parseTransferId(text: string): { readonly ticketId: number; readonly number: number } | undefined {
  const [, ticket, number] = idPattern.exec(text) ?? [];
  const ticketId = Number(ticket);
  return Number.isSafeInteger(ticketId) ? { ticketId, number: Number(number) } : undefined;
}
