import { type BarcodeRow, wasScanned } from '../../../data/transfers/row.ts';
import type { TicketState } from '../../../data/transfers/write.ts';
import { emailIdentity } from '../../../domain/customers/customer.ts';
import type { TicketContext } from '../../../domain/orders/shown-order.ts';
import {
  maxOffers,
  maxTransfers,
  type TransferOffer,
  type TransferStatus,
  transferStatus,
} from '../../../domain/orders/transfer.ts';
import { transferOf, transferUntilUnix } from '../../../domain/prices/ticket-rules.ts';
import { isAcceptToken } from '../../auth/accept-token.ts';
import { notFound, type Problem, problem } from '../../problem.ts';

const active = 1;

/** Throws the problem if the ticket cannot be given away now, whoever wants it. */
export function checkTransferable(
  row: BarcodeRow,
  { price, event }: Pick<TicketContext, 'price' | 'event'>,
  nowUnix: number,
): void {
  const { ticket } = row;
  if (ticket.status !== active) {
    throw problem('ticket_not_active', 'This ticket is not valid, so it cannot be given away.');
  }
  if (wasScanned(row)) {
    throw problem('ticket_scanned', 'This ticket was scanned at a gate, so it cannot be given away any more.');
  }
  if (transferOf(price) === 'none') {
    throw problem('transfer_not_allowed', 'Tickets of this price cannot be given away.');
  }
  if ((ticket.transfers?.former.length ?? 0) >= maxTransfers) {
    throw problem('transfer_not_allowed', `This ticket was given away ${maxTransfers} times, which is the limit.`);
  }
  if (event.cancelledUnix !== null) throw problem('transfer_closed', 'The event was cancelled.');
  if (nowUnix >= transferUntilUnix(price, event)) {
    const hours = price.transferUntilHours ?? 0;
    const until = hours === 0 ? 'the start of the event' : `${hours} hours before the start of the event`;
    throw problem('transfer_closed', `This ticket could be given away until ${until}.`);
  }
}

/** Throws the problem if the recipient is the buyer of a ticket that was never given away. */
export function checkRecipient(emailAddress: string, { placed, ticket }: TicketState): void {
  const { emailAddress: buyer } = placed.order;
  if (ticket.transfers !== undefined || buyer === null || emailIdentity(buyer) !== emailIdentity(emailAddress)) return;
  throw problem('parameter_invalid', 'The ticket belongs to the person with this email address already.', {
    param: 'email',
  });
}

/** Throws the problem if the ticket is offered already, or was too often. */
export function checkOffers(offers: readonly TransferOffer[], nowUnix: number): void {
  if (offers.some((offer) => transferStatus(offer, nowUnix) === 'offered')) {
    throw problem('transfer_pending', 'This ticket is offered to somebody already. Cancel that transfer first.');
  }
  if (offers.length >= maxOffers) {
    throw problem('transfer_not_allowed', `This ticket was offered ${maxOffers} times, which is the limit.`);
  }
}

const ends: Readonly<Record<Exclude<TransferStatus, 'offered'>, string>> = {
  accepted: 'This transfer was accepted already.',
  cancelled: 'This transfer was cancelled. Ask the holder of the ticket to offer it again.',
  expired: 'This transfer has expired. Ask the holder of the ticket to offer it again.',
};

export function notOpen(status: Exclude<TransferStatus, 'offered'>): Problem {
  return problem('transfer_not_open', ends[status]);
}

/** The offer that a token is for, under whatever barcode it was made. A wrong token looks like a missing transfer. */
export function offerWithToken(
  { row, former }: TicketState,
  { number, token }: { readonly number: number; readonly token: string },
  nowUnix: number,
): { readonly offer: TransferOffer; readonly status: TransferStatus } {
  const offer = [...former, row].flatMap(({ offers }) => offers).find((one) => one.number === number);
  if (offer === undefined || !isAcceptToken(token, offer.tokenHash)) throw notFound('transfer');
  return { offer, status: transferStatus(offer, nowUnix) };
}
