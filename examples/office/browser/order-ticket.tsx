import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { TicketDocuments } from '../../site/browser/parts/ticket-documents.tsx';
import { seatOf } from '../../site/browser/state/format.ts';
import { officeCall } from './api.ts';
import type { Field, Values } from './fields.ts';
import { Form } from './form.tsx';
import { TicketStatus } from './people.tsx';
import type { OfficeOrder, OfficeTicket } from './resources.ts';

const active = 1;

const nameFields: readonly Field[] = [
  { name: 'first_name', label: 'First name', kind: 'text', required: true },
  { name: 'last_name', label: 'Last name', kind: 'text', required: true },
];

interface TicketProps {
  readonly ticket: OfficeTicket;
  readonly order: OfficeOrder;
  /** Whether a refund of it is on its way. */
  readonly isUnderWay: boolean;
  readonly isChosen: boolean;
  /** Undefined if nothing can be refunded or cancelled of it. */
  readonly onChoose: (() => void) | undefined;
  readonly onChanged: (message: string) => void;
}

/** A ticket of an order: to choose it, to rename it, to move it, and to get its documents. */
export function OrderTicket({ ticket, order, isUnderWay, isChosen, onChoose, onChanged }: TicketProps) {
  const [open, setOpen] = useState<'name' | 'documents'>();
  const { ticket_id, ticket_status_id, ticket_name, price_category_title, price_title, barcode } = ticket;
  const isValid = ticket_status_id === active && !isUnderWay;
  const toggle = (part: 'name' | 'documents') => () => setOpen(open === part ? undefined : part);
  const of = <span class="visually-hidden"> of ticket {ticket_id}</span>;
  return (
    <li class="line order-ticket">
      <label class="choice">
        <input type="checkbox" disabled={onChoose === undefined} checked={isChosen} onChange={onChoose} />
        <span>
          {price_category_title}, {price_title} {ticket_status_id !== active && <TicketStatus ticket={ticket} />}
          {isUnderWay && <span class="tag">Refund on its way</span>}
          <span class="hint">
            {[ticket_name ?? 'no name', seatOf(ticket), `ticket ${ticket_id}`, barcode].filter(Boolean).join(' · ')}
          </span>
        </span>
      </label>
      {isValid && (
        <span class="buttons">
          <button type="button" class="button quiet small" aria-expanded={open === 'name'} onClick={toggle('name')}>
            Change the name{of}
          </button>
          {ticket.seat_title !== null && (
            <Link to={`/office/orders/${order.order_id}/seat/${ticket_id}`} class="button quiet small">
              Move to another seat{of}
            </Link>
          )}
          <button
            type="button"
            class="button quiet small"
            aria-expanded={open === 'documents'}
            onClick={toggle('documents')}
          >
            Documents{of}
          </button>
        </span>
      )}
      {open === 'name' && (
        <Form
          fields={nameFields}
          method="POST"
          path={`/v1/tickets/${ticket_id}`}
          values={namesOf(ticket_name)}
          send={(_, holder: Values) => officeCall('PATCH', `/v1/tickets/${ticket_id}`, { body: { holder } })}
          timezone="UTC"
          button="Save the name"
          onSaved={() =>
            onChanged(
              'The name is changed. The buyer’s page, below, has it; a ticket printed before admits too, but shows the old name.',
            )
          }
        />
      )}
      {open === 'documents' && (
        <TicketDocuments
          ticketId={ticket_id}
          name={`ticket ${ticket_id}`}
          loadLink={async () => (await officeCall<{ link: string | null }>('GET', `/v1/tickets/${ticket_id}`)).link}
        />
      )}
    </li>
  );
}

/** A ticket has one name. What stands before its last word is most often the first name. */
function namesOf(name: string | null): Values {
  const words = (name ?? '').split(' ');
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) };
}
