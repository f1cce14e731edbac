import type { TicketAddresses } from '../data/gates/addresses.ts';
import type { OfflineRow } from '../data/gates/offline-page.ts';
import type { ListedCard } from '../data/members/list-admitted.ts';
import { hashBarcode } from '../data/scans/barcode-hash.ts';
import { endUnixOf } from '../domain/members/end.ts';
import { effectiveUpdatedUnix } from '../domain/members/filters.ts';
import type { EventTicket } from '../operations/schemas/event-ticket.ts';

type OfflineTicket = Extract<OfflineRow, { ticket: unknown }>;

/** A gate device gets neither barcodes nor names: a stolen one must not be a book of printable tickets. */
type Reader = 'key' | 'gate';

interface Reading {
  readonly reader: Reader;
  /** When the event was cancelled; null if it was not. */
  readonly cancelledUnix: number | null;
  /** Only if the reader asks for addresses. */
  readonly addressesOf?: ((row: OfflineTicket) => TicketAddresses) | undefined;
}

export function eventTicket(row: OfflineRow, reading: Reading): EventTicket {
  const { cancelledUnix } = reading;
  const ticket = 'ticket' in row ? ticketForGate(row, reading) : memberForGate(row.card, reading);
  return cancelledUnix === null ? ticket : atCancelledEvent(ticket, cancelledUnix);
}

const validStatuses: readonly number[] = [0, 1];

/**
 * Nobody is admitted from the cancellation on, also while its job has not come to the ticket yet. Whoever would have been admitted hears of
 * it, also after the job.
 */
function atCancelledEvent(ticket: EventTicket, cancelledUnix: number): EventTicket {
  const isValid = validStatuses.includes(ticket.ticket_status_id);
  const endedLater = ticket.ticket_id !== null && !ticket.transferred && ticket.updated_at >= cancelledUnix;
  return {
    ...ticket,
    ticket_status_id: isValid ? 2 : ticket.ticket_status_id,
    to_notify: ticket.to_notify || endedLater,
    updated_at: Math.max(ticket.updated_at, cancelledUnix),
  };
}

const noAddresses = { order_id: null, buyer_email: null, holder_user_id: null, holder_email: null };

function ticketForGate(row: OfflineTicket, { reader, addressesOf }: Reading): EventTicket {
  const { ticket, isFormer } = row;
  return {
    ticket_id: ticket.ticketId,
    membership_member_id: null,
    ...barcodeFields(ticket.barcode, reader),
    ticket_status_id: ticket.status,
    transferred: isFormer,
    price_category_id: ticket.categoryId,
    ticket_name: reader === 'gate' ? null : ticket.ticketName,
    section_label: ticket.sectionLabel,
    seat_row: ticket.seatRow,
    seat_title: ticket.seatTitle,
    expires: null,
    updated_at: ticket.updatedUnix,
    to_notify: !isFormer && validStatuses.includes(ticket.status),
    ...(addressesOf === undefined ? noAddresses : ticketAddresses(row, addressesOf(row))),
  };
}

function ticketAddresses({ ticket, isFormer }: OfflineTicket, addresses: TicketAddresses) {
  return {
    order_id: ticket.orderId,
    buyer_email: addresses.buyerEmail,
    holder_user_id: isFormer ? null : addresses.holderUserId,
    holder_email: isFormer ? null : addresses.holderEmail,
  };
}

const unpaid = 0;

function memberForGate(
  { member, barcode, endedUnix, isAdmitted }: ListedCard,
  { reader, addressesOf }: Reading,
): EventTicket {
  const isFormer = endedUnix !== null;
  const name = [member.firstName, member.lastName].filter((part) => part !== null).join(' ');
  const refusedStatus = member.statusId === unpaid && !isFormer ? 0 : 2;
  return {
    ticket_id: null,
    membership_member_id: member.memberId,
    ...barcodeFields(barcode, reader),
    ticket_status_id: isAdmitted ? 1 : refusedStatus,
    transferred: isFormer,
    price_category_id: null,
    ticket_name: reader === 'gate' || isFormer ? null : name || null,
    section_label: member.seatSection,
    seat_row: member.seatRow,
    seat_title: member.seatTitle,
    expires: endUnixOf(member),
    updated_at: endedUnix ?? effectiveUpdatedUnix(member),
    to_notify: isAdmitted,
    ...noAddresses,
    ...(addressesOf !== undefined && !isFormer && { holder_user_id: member.userId, holder_email: member.emailAddress }),
  };
}

function barcodeFields(barcode: string, reader: Reader): Pick<EventTicket, 'barcode' | 'barcode_sha256'> {
  return {
    barcode: reader === 'gate' ? null : barcode,
    barcode_sha256: hashBarcode(barcode),
  };
}
