import { createHash } from 'node:crypto';
import { organisationColour, type Rgb } from '../domain/organisations/colour.ts';
import { escapeHtml } from '../platform/html.ts';
import { blackRuns, qrCode } from './qr-code.ts';
import type { Fact, TicketFacts } from './ticket-facts.ts';
import { pageStyle } from './ticket-page-style.ts';

interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A document that the page offers. */
export interface OfferedDocument {
  readonly label: string;
  readonly address: string;
}

/** The ticket as its holder sees it. Before the barcode appears, there are no documents either. */
export function ticketPage(facts: TicketFacts, documents: readonly OfferedDocument[]): PageResponse {
  const holder = facts.holder === null ? [] : [{ label: 'Name', value: facts.holder }];
  const main = [
    `<h1>${isolated(facts.event)}</h1>`,
    `<p>${facts.starts}</p>`,
    facts.venue === null ? '' : `<p>${isolated(facts.venue)}</p>`,
    facts.barcode === null ? laterNotice(facts.barcodeFrom ?? '') : codeFigure(facts.barcode),
    factList([...holder, ...facts.place, { label: 'Ticket', value: facts.price }]),
    facts.barcode === null || documents.length === 0 ? '' : `<nav>${documents.map(documentLink).join('')}</nav>`,
  ];
  return page(200, { title: facts.event, name: facts.organisation, colour: facts.colour, main: main.join('') });
}

/** The answer to every link that shows no ticket: which part is wrong is nobody's business. */
export function endedLinkPage(): PageResponse {
  const title = 'This link shows no ticket';
  const text =
    'It is incomplete, or it has ended: a link ends after the event, with a refund, and when the ticket is given to somebody else. Ask the organisation that sent it for a new one.';
  const main = `<h1>${title}</h1><p>${text}</p>`;
  return page(404, { title, name: 'Ticket', colour: organisationColour(null), main });
}

/** A text of any script. Its direction is its own, and a mark within it turns nothing outside of it. */
const isolated = (text: string): string => `<bdi dir="auto">${escapeHtml(text)}</bdi>`;

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

interface Content {
  readonly title: string;
  readonly name: string;
  readonly colour: Rgb;
  readonly main: string;
}

/** A page of plain HTML without script. Its policy allows its one style by its hash, and nothing from elsewhere. */
function page(status: number, { title, name, colour, main }: Content): PageResponse {
  const style = pageStyle(colour);
  const styleHash = createHash('sha256').update(style).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style>`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      // The address contains the token.
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
    body: `<!doctype html><html lang="en"><head>${head}</head><body><header>${isolated(name)}</header><main>${main}</main></body></html>`,
  };
}
