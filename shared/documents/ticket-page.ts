import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { organisationColour } from '../domain/organisations/colour.ts';
import { writtenTime } from '../domain/time/local-time.ts';
import { escapeHtml } from '../platform/html.ts';
import { isolated, type PageResponse, page } from './page.ts';
import { blackRuns, qrCode } from './qr-code.ts';
import type { Fact, TicketFacts } from './ticket-facts.ts';

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
  return page(200, { title: facts.event, name: facts.organisation, colour: facts.colour, main: main.join('') });
}

/** The code for the gate, what is known of the ticket, and its documents. */
export function ticketParts(facts: TicketFacts, documents: readonly OfferedDocument[], name = 'the ticket'): string {
  const holder = facts.holder === null ? [] : [{ label: 'Name', value: facts.holder }];
  const parts = [
    facts.barcode === null ? laterNotice(facts.barcodeFrom ?? '') : codeFigure(facts.barcode),
    factList([...holder, ...facts.place, { label: 'Ticket', value: facts.price }]),
    facts.barcode === null || documents.length === 0
      ? ''
      : `<nav aria-label="Documents of ${name}">${documents.map(documentLink).join('')}</nav>`,
  ];
  return parts.join('');
}

interface OfCancelledEvent {
  readonly organisation: Pick<OrganisationRecord, 'name' | 'backgroundColor'>;
  readonly event: Pick<EventRecord, 'title' | 'startUnix' | 'timezone'>;
}

/** What the holder of a ticket reads whose event was cancelled, before and after the refund. */
export function cancelledEventPage({ organisation, event }: OfCancelledEvent): PageResponse {
  const main = [
    `<h1>${isolated(event.title)}</h1>`,
    `<p>${writtenTime(event.startUnix, event.timezone).full}</p>`,
    '<div class="later"><strong>This event was cancelled.</strong><p>The ticket is not valid any more. The organisation tells the buyer about the refund.</p></div>',
  ];
  const colour = organisationColour(organisation.backgroundColor);
  return page(200, { title: event.title, name: organisation.name, colour, main: main.join('') });
}

/** The answer to every link that shows no ticket: which part is wrong is nobody's business. */
export function endedLinkPage(): PageResponse {
  const title = 'This link shows no ticket';
  const text =
    'It is incomplete, or it has ended: a link ends after the event, with a refund, and when the ticket is given to somebody else. Ask the organisation that sent it for a new one.';
  const main = `<h1>${title}</h1><p>${text}</p>`;
  return page(404, { title, name: 'Ticket', colour: organisationColour(null), main });
}

const laterNotice = (from: string): string =>
  `<div class="later"><strong>The code for the gate is not here yet.</strong><p>It appears on ${escapeHtml(from)}. Open this page again then.</p></div>`;

function codeFigure(barcode: string): string {
  const rows = qrCode(barcode);
  const path = blackRuns(rows).map(({ x, y, width }) => `M${x} ${y}h${width}v1h-${width}z`);
  const svg = `<svg viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label="QR code of the ticket"><path fill="#fff" d="M0 0h${rows.length}v${rows.length}H0z"/><path d="${path.join('')}"/></svg>`;
  return `<figure>${svg}<figcaption>${escapeHtml(barcode)}</figcaption></figure>`;
}

const factList = (facts: readonly Fact[]): string =>
  `<dl>${facts.map(({ label, value }) => `<div><dt>${label}</dt><dd>${isolated(value)}</dd></div>`).join('')}</dl>`;

const documentLink = ({ label, address }: OfferedDocument): string => `<a href="${escapeHtml(address)}">${label}</a>`;
