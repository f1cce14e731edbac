import type { OrderRecord } from '../domain/orders/order.ts';
import type { Rgb } from '../domain/organisations/colour.ts';
import { escapeHtml } from '../platform/html.ts';
import { isolated, type PageResponse, page } from './page.ts';
import type { TicketFacts } from './ticket-facts.ts';
import { type OfferedDocument, ticketParts } from './ticket-page.ts';

/** What the page of an order shows. */
export interface OrderFacts {
  readonly orderId: number;
  readonly organisation: string;
  readonly colour: Rgb;
  readonly event: string;
  readonly starts: string;
  readonly venue: string | null;
  readonly status: OrderRecord['status'];
  readonly isEventCancelled: boolean;
  /** Such as $69.30; null if nothing was refunded. */
  readonly refunded: string | null;
  /** How many valid tickets somebody else has. */
  readonly givenAway: number;
  readonly tickets: readonly { readonly facts: TicketFacts; readonly documents: readonly OfferedDocument[] }[];
}

/** The order as its buyer sees it: what happened to it, and all valid tickets that the buyer has. */
export function orderPage(facts: OrderFacts): PageResponse {
  const { tickets, colour } = facts;
  const main = [
    `<h1>${isolated(facts.event)}</h1>`,
    `<p>${facts.starts}</p>`,
    facts.venue === null ? '' : `<p>${isolated(facts.venue)}</p>`,
    ...notices(facts).map((text) => `<p><strong>${escapeHtml(text)}</strong></p>`),
    ...tickets.map(
      ({ facts: ticket, documents }, index) =>
        `<section><h2>Ticket ${index + 1} of ${tickets.length}</h2>${ticketParts(ticket, documents, `ticket ${index + 1}`)}</section>`,
    ),
  ];
  return page(200, { title: facts.event, name: facts.organisation, colour, main: main.join('') });
}

function notices({ orderId, status, isEventCancelled, refunded, givenAway }: OrderFacts): string[] {
  return [
    isEventCancelled ? 'This event was cancelled.' : '',
    `Order ${orderId}${status === 'confirmed' ? ', confirmed.' : '.'}`,
    status === 'cancelled' ? 'This order was cancelled.' : '',
    status === 'refunded' ? `This order was refunded${refunded === null ? '' : `: ${refunded}`}.` : '',
    status !== 'refunded' && refunded !== null ? `${refunded} of it was refunded.` : '',
    givenAway === 1 ? '1 ticket was given to somebody else, who has a link of their own.' : '',
    givenAway > 1 ? `${givenAway} tickets were given to somebody else, who has links of their own.` : '',
  ].filter((text) => text !== '');
}
