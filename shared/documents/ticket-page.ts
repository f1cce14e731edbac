import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { organisationColour } from '../domain/organisations/colour.ts';
import { acceptedLanguage } from '../domain/organisations/locale.ts';
import { escapeHtml } from '../platform/html.ts';
import { isolated, type PageResponse, page } from './page.ts';
import { blackRuns, qrCode } from './qr-code.ts';
import { type Fact, listedFacts, type TicketFacts } from './ticket-facts.ts';
import { asLine, type Writing, writingIn } from './writing.ts';

/** A document that the page offers. */
export interface OfferedDocument {
  readonly label: string;
  readonly address: string;
}

/** The ticket as its holder sees it. Before the barcode appears, there are no documents either. */
export function ticketPage(facts: TicketFacts, documents: readonly OfferedDocument[]): PageResponse {
  const main = [
    `<h1>${isolated(facts.event)}</h1>`,
    `<p>${facts.starts}</p>`,
    facts.venue === null ? '' : `<p>${isolated(facts.venue)}</p>`,
    ticketParts(facts, documents),
  ];
  return page(200, {
    title: facts.event,
    name: facts.organisation,
    colour: facts.colour,
    main: main.join(''),
    locale: facts.locale,
  });
}

/** The code for the gate, what is known of the ticket, and its documents. */
export function ticketParts(facts: TicketFacts, documents: readonly OfferedDocument[], number?: number): string {
  const writing = writingIn(facts.locale);
  const name =
    number === undefined ? writing.text('documentsOfTicket') : writing.text('documentsOfTicketNumber', { number });
  const parts = [
    facts.barcode === null ? laterNotice(writing, facts.barcodeFrom ?? '') : codeFigure(writing, facts.barcode),
    factList(listedFacts(facts)),
    facts.barcode === null || documents.length === 0
      ? ''
      : `<nav aria-label="${escapeHtml(name)}">${documents.map(documentLink).join('')}</nav>`,
  ];
  return parts.join('');
}

interface OfCancelledEvent {
  readonly organisation: Pick<OrganisationRecord, 'name' | 'backgroundColor' | 'locale'>;
  readonly event: Pick<EventRecord, 'title' | 'startUnix' | 'timezone'>;
}

/** What the holder of a ticket reads whose event was cancelled, before and after the refund. */
export function cancelledEventPage({ organisation, event }: OfCancelledEvent): PageResponse {
  const { locale } = organisation;
  const { text, dateTime } = writingIn(locale);
  const main = [
    `<h1>${isolated(event.title)}</h1>`,
    `<p>${asLine(dateTime(event.startUnix, event.timezone), locale)}</p>`,
    `<div class="later"><strong>${text('eventCancelled')}</strong><p>${text('ticketOfCancelledEvent')}</p></div>`,
  ];
  const colour = organisationColour(organisation.backgroundColor);
  return page(200, { title: event.title, name: organisation.name, colour, main: main.join(''), locale });
}

/**
 * The answer to every link that shows no ticket: which part is wrong is nobody's business, nor whose link it was. So it is in a language
 * that the browser asks for.
 */
export function endedLinkPage(acceptLanguage?: string): PageResponse {
  const locale = acceptedLanguage(acceptLanguage);
  const { text } = writingIn(locale);
  const title = text('linkEnded');
  const main = `<h1>${title}</h1><p>${text('linkEndedWhy')}</p>`;
  return page(404, { title, name: text('ticket'), colour: organisationColour(null), main, locale });
}

const laterNotice = ({ text }: Writing, from: string): string =>
  `<div class="later"><strong>${text('codeLater')}</strong><p>${escapeHtml(text('codeFrom', { from }))}</p></div>`;

function codeFigure({ text }: Writing, barcode: string): string {
  const rows = qrCode(barcode);
  const path = blackRuns(rows).map(({ x, y, width }) => `M${x} ${y}h${width}v1h-${width}z`);
  const svg = `<svg viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label="${text('codeOfTicket')}"><path fill="#fff" d="M0 0h${rows.length}v${rows.length}H0z"/><path d="${path.join('')}"/></svg>`;
  return `<figure>${svg}<figcaption>${escapeHtml(barcode)}</figcaption></figure>`;
}

const factList = (facts: readonly Fact[]): string =>
  `<dl>${facts.map(({ label, value }) => `<div><dt>${label}</dt><dd>${isolated(value)}</dd></div>`).join('')}</dl>`;

const documentLink = ({ label, address }: OfferedDocument): string => `<a href="${escapeHtml(address)}">${label}</a>`;
