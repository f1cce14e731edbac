import { selfCancelUntilUnix } from '../prices/self-cancel.ts';
import { type PassageLog, wasAtGate } from '../scans/evaluate.ts';
import type { OrderRecord, TicketRecord } from './order.ts';
import type { RefundRecord } from './refund.ts';
import type { TicketContext } from './shown-order.ts';
import { ticketStatusOf } from './ticket-status.ts';
import { type TransferOffer, transferStatus } from './transfer.ts';

/** What comes back of a ticket, and until when its buyer can cancel it. */
export interface OwnCancellation {
  readonly order: OrderRecord;
  readonly ticketId: number;
  readonly amountMinor: number;
  readonly keptMinor: number;
  readonly untilUnix: number;
  /** Null in a dry run. */
  readonly refund: RefundRecord | null;
}

/** Why a buyer cannot cancel a ticket. */
export type OwnCancelRefusal =
  /** The fan did not buy the ticket, or the order does not have it: it looks like a missing one. */
  | { readonly reason: 'not_bought' }
  | { readonly reason: 'given_away' | 'offer_pending' | 'scanned' | 'event_cancelled' | 'not_allowed' }
  | { readonly reason: 'refunded' | 'cancelled' | 'refund_in_progress' }
  /** So many hours before the start of the event it could be cancelled. */
  | { readonly reason: 'too_late'; readonly hours: number };

/** A ticket as it is now, with the row of its barcode. */
export interface OwnTicket {
  readonly ticket: TicketRecord;
  readonly order: Pick<OrderRecord, 'userId'>;
  readonly event: TicketContext['event'];
  readonly log: PassageLog;
  readonly offers: readonly TransferOffer[];
  /** Whether a refund that its buyer asked for is under way. */
  readonly isEnding: boolean;
}

/** Until when the buyer can cancel the ticket, or why not. Money stays the buyer's after a transfer, but the ticket is somebody else's. */
export function ownCancellation(
  { ticket, order, event, log, offers, isEnding }: OwnTicket,
  fanId: number,
  nowUnix: number,
): { readonly keepPercent: number; readonly untilUnix: number } | { readonly refusal: OwnCancelRefusal } {
  const { status, transfers, selfCancel } = ticket;
  if (order.userId !== fanId && transfers?.toUserId !== fanId) return refused('not_bought');
  if (transfers !== undefined) return refused('given_away');
  if (status === ticketStatusOf.refunded) return refused('refunded');
  if (status === ticketStatusOf.cancelled) return refused('cancelled');
  if (isEnding) return refused('refund_in_progress');
  if (event.cancelledUnix !== null) return refused('event_cancelled');
  if (wasAtGate(log)) return refused('scanned');
  if (offers.some((offer) => transferStatus(offer, nowUnix) === 'offered')) return refused('offer_pending');
  if (selfCancel === undefined) return refused('not_allowed');
  const untilUnix = selfCancelUntilUnix(selfCancel, event);
  if (nowUnix >= untilUnix) return { refusal: { reason: 'too_late', hours: selfCancel.untilHours } };
  return { keepPercent: selfCancel.keepPercent, untilUnix };
}

function refused(reason: Exclude<OwnCancelRefusal['reason'], 'too_late'>): { readonly refusal: OwnCancelRefusal } {
  return { refusal: { reason } };
}
