import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { ShownTicket } from '../domain/orders/shown-order.ts';
import { transferCount } from '../domain/orders/ticket-link.ts';
import { ticketStatusOf } from '../domain/orders/ticket-status.ts';
import { organisationColour, type Rgb } from '../domain/organisations/colour.ts';
import { barcodeFromUnix, type TicketRules } from '../domain/prices/ticket-rules.ts';
import { asLine, type Writing, writingIn } from './writing.ts';

/** A value with its name, such as a row with "Row". */
export interface Fact {
  /** The name of the field, the same in all languages. */
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

type Label = 'section' | 'area' | 'aisle' | 'row' | 'seat' | 'name' | 'ticket' | 'memberNumber' | 'validUntil';

/** The value with its label in the language of the document; nothing if there is no value. */
export function fact({ text }: Writing, key: Label, value: string | null): readonly Fact[] {
  return value === null || value === '' ? [] : [{ key, label: text(key), value }];
}

/** Name, place and price of a ticket, as every document lists them. */
export function listedFacts({ locale, holder, place, price }: TicketFacts): readonly Fact[] {
  const writing = writingIn(locale);
  return [...fact(writing, 'name', holder), ...place, ...fact(writing, 'ticket', price)];
}

/** What every document of a ticket shows. Texts are as the organisation and the fan wrote them, in any script. */
export interface TicketFacts {
  readonly orgId: string;
  readonly eventId: number;
  readonly ticketId: number;
  /** How often it was given away: the next holder has other passes. */
  readonly transfers: number;
  /** How the documents are written: dates and labels below are. */
  readonly locale: string;
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
  readonly organisation: Pick<OrganisationRecord, 'orgId' | 'name' | 'backgroundColor' | 'locale'>;
  readonly event: EventRecord;
  readonly price: Pick<TicketRules, 'barcodeFromHours'>;
}

/** The facts of a ticket as a fan sees it now. */
export function ticketFacts(ticket: ShownTicket, { organisation, event, price }: Shown): TicketFacts {
  const { locale } = organisation;
  const writing = writingIn(locale);
  const fromUnix = barcodeFromUnix(price, event);
  return {
    orgId: organisation.orgId,
    eventId: event.eventId,
    ticketId: ticket.ticketId,
    transfers: transferCount(ticket),
    locale,
    organisation: organisation.name,
    colour: organisationColour(organisation.backgroundColor),
    event: event.title,
    startUnix: event.startUnix,
    starts: asLine(writing.dateTime(event.startUnix, event.timezone), locale),
    venue: event.venueName,
    holder: ticket.ticketName,
    place: placeOf(ticket, writing),
    // Two stands may both sell "Adult".
    price: [ticket.categoryTitle, ticket.priceTitle, unpaidNotice(ticket, writing)].filter(Boolean).join(' · '),
    barcode: ticket.barcode,
    barcodeFrom: fromUnix === null ? null : writing.dateTime(fromUnix, event.timezone),
  };
}

/** What a pass shows to somebody who does not hold the ticket any more: it was refunded or given away. */
export function voidFacts(facts: TicketFacts, transfers: number): TicketFacts {
  return { ...facts, transfers, barcode: null, holder: null, place: [] };
}

function unpaidNotice({ status }: ShownTicket, { text }: Writing): string | null {
  return status === ticketStatusOf.pending ? text('notPaid') : null;
}

function placeOf(ticket: ShownTicket, writing: Writing): readonly Fact[] {
  return [
    ...fact(writing, 'section', ticket.sectionLabel),
    ...fact(writing, 'area', ticket.subSectionTitle),
    ...fact(writing, 'aisle', ticket.seatAisle),
    ...fact(writing, 'row', ticket.seatRow),
    ...fact(writing, 'seat', ticket.seatTitle),
  ];
}
