import type { OrderRecord } from '../domain/orders/order.ts';
import type { Rgb } from '../domain/organisations/colour.ts';
import { escapeHtml } from '../platform/html.ts';
import { isolated, type PageResponse, page } from './page.ts';
import type { TicketFacts } from './ticket-facts.ts';
import { type OfferedDocument, ticketParts } from './ticket-page.ts';
import { writingIn } from './writing.ts';

/** What the page of an order shows. */
export interface OrderFacts {
  readonly orderId: number;
  readonly locale: string;
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
  const { tickets, colour, locale } = facts;
  const { text } = writingIn(locale);
  const count = tickets.length;
  const main = [
    `<h1>${isolated(facts.event)}</h1>`,
    `<p>${facts.starts}</p>`,
    facts.venue === null ? '' : `<p>${isolated(facts.venue)}</p>`,
    ...notices(facts).map((notice) => `<p><strong>${escapeHtml(notice)}</strong></p>`),
    ...tickets.map(
      ({ facts: ticket, documents }, index) =>
        `<section><h2>${text('ticketOfAll', { number: index + 1, count })}</h2>${ticketParts(ticket, documents, index + 1)}</section>`,
    ),
  ];
  return page(200, { title: facts.event, name: facts.organisation, colour, main: main.join(''), locale });
}

function notices({ orderId: order, status, isEventCancelled, refunded: amount, givenAway, locale }: OrderFacts) {
  const { text } = writingIn(locale);
  return [
    isEventCancelled ? text('eventCancelled') : '',
    status === 'confirmed' ? text('orderConfirmed', { order }) : text('order', { order }),
    status === 'cancelled' ? text('orderCancelled') : '',
    status === 'refunded' && amount === null ? text('orderRefunded') : '',
    status === 'refunded' && amount !== null ? text('orderRefundedAmount', { amount }) : '',
    status !== 'refunded' && amount !== null ? text('partRefunded', { amount }) : '',
    givenAway === 1 ? text('oneGivenAway') : '',
    givenAway > 1 ? text('manyGivenAway', { count: givenAway }) : '',
  ].filter((notice) => notice !== '');
}
