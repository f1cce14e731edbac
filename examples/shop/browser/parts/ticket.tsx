import type { ComponentChildren } from 'preact';
import { seatOf } from '../../../site/browser/state/format.ts';
import type { Ticket } from '../resources.ts';
import { QrCode } from './qr-code.tsx';

interface TicketsProps {
  readonly tickets: readonly Ticket[];
  readonly eventTitle: string;
  readonly when: string;
  /** Of a ticket that has just ended, what to say in place of its code. */
  readonly endings?: ReadonlyMap<number, string>;
  /** What the holder can do with a ticket, below it. `name` is that of the ticket, such as "ticket 1 of 2". */
  readonly children: (ticket: Ticket, name: string) => ComponentChildren;
}

const active = 1;

/** The tickets of an order, each with its QR code. */
export function Tickets({ tickets, eventTitle, when, endings, children }: TicketsProps) {
  return (
    <ol class="tickets">
      {tickets.map((ticket, index) => (
        <li key={ticket.ticket_id} class="ticket">
          <div class="ticket-text">
            <p class="ticket-event">{eventTitle}</p>
            <p>{when}</p>
            <p class="ticket-kind">
              {ticket.price_category_title} · {ticket.price_title}
            </p>
            {ticket.seat_title !== null && <p class="ticket-seat">{seatOf(ticket)}</p>}
            {ticket.ticket_name !== null && <p>{ticket.ticket_name}</p>}
            {ticket.barcode !== null && <p class="ticket-barcode">{ticket.barcode}</p>}
          </div>
          {codeOf(ticket, endings?.get(ticket.ticket_id), `ticket ${index + 1} of ${tickets.length}`, children)}
        </li>
      ))}
    </ol>
  );
}

/** The code of a ticket and what can be done with it, or why it has none. */
function codeOf(ticket: Ticket, ending: string | undefined, name: string, children: TicketsProps['children']) {
  if (ending !== undefined) {
    return (
      <p class="tag bad" role="status">
        {ending}
      </p>
    );
  }
  if (ticket.ticket_status_id !== active) return <p class="tag bad">Not valid any more</p>;
  if (ticket.barcode === null) return <p class="tag">The code appears here closer to the event</p>;
  return (
    <>
      <QrCode text={ticket.barcode} label={`QR code of ${name}`} />
      <div class="stack ticket-actions">{children(ticket, name)}</div>
    </>
  );
}
