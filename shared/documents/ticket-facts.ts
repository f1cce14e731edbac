import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { ShownTicket } from '../domain/orders/shown-order.ts';
import { transferCount } from '../domain/orders/ticket-link.ts';
import { ticketStatusOf } from '../domain/orders/ticket-status.ts';
import { organisationColour, type Rgb } from '../domain/organisations/colour.ts';
import { barcodeFromUnix, type TicketRules } from '../domain/prices/ticket-rules.ts';
import { writtenTime } from '../domain/time/local-time.ts';

/** A value with its name, such as a row with "Row". */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** What every document of a ticket shows. Texts are as the organisation and the fan wrote them, in any script. */
export interface TicketFacts {
  readonly orgId: string;
  readonly eventId: number;
  readonly ticketId: number;
  /** How often it was given away: the next holder has other passes. */
  readonly transfers: number;
  readonly organisation: string;
  readonly colour: Rgb;
  readonly event: string;
  readonly startUnix: number;
  /** Such as "Saturday 14 November 2026, 7:30 pm", in the zone of the event. */
  readonly starts: string;
  readonly venue: string | null;
  readonly holder: string | null;
  /** Where to go: section, aisle, row and seat, those that the ticket has. */
  readonly place: readonly Fact[];
  /** With its category, such as "East Stand · Adult". It says too if the ticket is not paid: gates refuse it until then. */
  readonly price: string;
  /** Null if fans do not see it yet. */
  readonly barcode: string | null;
  /** When fans see the barcode; null if they always do. */
  readonly barcodeFrom: string | null;
}

interface Shown {
  readonly organisation: Pick<OrganisationRecord, 'orgId' | 'name' | 'backgroundColor'>;
  readonly event: EventRecord;
  readonly price: Pick<TicketRules, 'barcodeFromHours'>;
}

/** The facts of a ticket as a fan sees it now. */
export function ticketFacts(ticket: ShownTicket, { organisation, event, price }: Shown): TicketFacts {
  const fromUnix = barcodeFromUnix(price, event);
  return {
    orgId: organisation.orgId,
    eventId: event.eventId,
    ticketId: ticket.ticketId,
    transfers: transferCount(ticket),
    organisation: organisation.name,
    colour: organisationColour(organisation.backgroundColor),
    event: event.title,
    startUnix: event.startUnix,
    starts: writtenTime(event.startUnix, event.timezone).full,
    venue: event.venueName,
    holder: ticket.ticketName,
    place: placeOf(ticket),
    // Two stands may both sell "Adult".
    price: [ticket.categoryTitle, ticket.priceTitle, unpaidNotice(ticket)].filter(Boolean).join(' · '),
    barcode: ticket.barcode,
    barcodeFrom: fromUnix === null ? null : writtenTime(fromUnix, event.timezone).full,
  };
}

/** What a pass shows to somebody who does not hold the ticket any more: it was refunded or given away. */
export function voidFacts(facts: TicketFacts, transfers: number): TicketFacts {
  return { ...facts, transfers, barcode: null, holder: null, place: [] };
}

function unpaidNotice({ status }: ShownTicket): string | null {
  return status === ticketStatusOf.pending ? 'not paid, not valid yet' : null;
}

function placeOf(ticket: ShownTicket): readonly Fact[] {
  const named: readonly (readonly [string, string | null])[] = [
    ['Section', ticket.sectionLabel],
    ['Area', ticket.subSectionTitle],
    ['Aisle', ticket.seatAisle],
    ['Row', ticket.seatRow],
    ['Seat', ticket.seatTitle],
  ];
  return named.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]));
}
