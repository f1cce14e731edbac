import type { MemberRecord } from '../data/members/row.ts';
import { majorUnits } from '../domain/money.ts';
import type { ShownTicket } from '../domain/orders/shown-order.ts';
import type { BarcodeTimes } from '../domain/prices/ticket-rules.ts';
import type { OrderOfEvent } from '../domain/sso/fan-orders.ts';
import type { SsoIdentity, SsoLink as StoredLink } from '../domain/sso/provider.ts';
import type { SsoLink } from '../operations/schemas/sso-link.ts';
import type { SsoMembership } from '../operations/schemas/sso-membership.ts';
import type { SsoOrder } from '../operations/schemas/sso-order.ts';
import type { SsoTicket } from '../operations/schemas/sso-ticket.ts';
import { isoTimestamp } from './iso-timestamp.ts';
import { ticketFields } from './order.ts';

export function ssoOrderResource({ order, event }: OrderOfEvent, link: string | null): SsoOrder {
  return {
    order_id: String(order.orderId),
    order_date: isoTimestamp(order.placedUnix),
    total: majorUnits(order.totalMinor, order.currency),
    refunded: majorUnits(order.refundedMinor, order.currency),
    currency: order.currency,
    ticket_count: order.ticketCount,
    event_id: event === null ? null : String(event.eventId),
    event_title: event?.title ?? null,
    event_start: event === null ? null : isoTimestamp(event.startUnix),
    venue_name: event?.venueName ?? null,
    link,
  };
}

export function ssoLinkResource({ issuer, subject }: SsoIdentity, link: StoredLink | undefined): SsoLink {
  return {
    issuer,
    subject,
    linked: link !== undefined,
    user_id: link?.userId ?? null,
    linked_at: link?.linkedUnix ?? null,
  };
}

export function ssoTicketResource(ticket: ShownTicket, currency: string, times: BarcodeTimes): SsoTicket {
  return {
    ...ticketFields(ticket, currency),
    barcode_from_unix: times.get(ticket.priceIndex) ?? null,
    price_category_title: ticket.categoryTitle,
  };
}

export function ssoMembershipResource(member: MemberRecord): SsoMembership {
  return {
    membership_member_id: member.memberId,
    member_number: member.memberNumber,
    first_name: member.firstName,
    last_name: member.lastName,
    membership_type_id: member.typeId,
    category_title: member.categoryTitle,
    type_title: member.typeTitle,
    barcode: member.barcode,
    membership_member_status_id: member.statusId,
    expires: member.expiresUnix,
    auto_renew: member.autoRenew ? 1 : 0,
    cancelled_at: member.cancelledUnix,
    seat_section: member.seatSection,
    seat_aisle: member.seatAisle,
    seat_row: member.seatRow,
    seat_level: member.seatLevel,
    seat_gate: member.seatGate,
    seat_title: member.seatTitle,
  };
}
