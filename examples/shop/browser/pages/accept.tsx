import { useState } from 'preact/hooks';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { TicketDocuments } from '../../../site/browser/parts/ticket-documents.tsx';
import type { Organisation } from '../../../site/browser/resources.ts';
import { messageOf } from '../../../site/browser/state/messages.ts';
import { Field } from '../parts/field.tsx';
import { Tickets } from '../parts/ticket.tsx';
import type { LinkedTicket } from '../resources.ts';
import { call } from '../state/api.ts';
import { dateTime } from '../state/format.ts';
import { asLinkedFan } from '../state/link-fan.ts';
import { session } from '../state/session.ts';

/** Where a friend accepts a ticket. A friend who is signed in finds it among their own tickets from then on. */
export function AcceptPage({ organisation }: { readonly organisation: Organisation }) {
  const [ticket, setTicket] = useState<LinkedTicket>();
  if (ticket === undefined) return <AcceptForm onAccepted={setTicket} />;
  return (
    <Page title="The ticket is yours" intro="Keep it in your wallet or as a PDF: the old code is not valid any more.">
      <Tickets
        tickets={[ticket]}
        eventTitle={ticket.event_title}
        when={dateTime(ticket.event_start, organisation.timezone)}
      >
        {({ ticket_id }, name) => (
          <TicketDocuments ticketId={ticket_id} name={name} loadLink={async () => ticket.link} />
        )}
      </Tickets>
    </Page>
  );
}

function AcceptForm({ onAccepted }: { readonly onAccepted: (ticket: LinkedTicket) => void }) {
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [problem, setProblem] = useState<string>();
  const offer = new URLSearchParams(location.hash.slice(1));
  const { fan } = session();

  async function accept(): Promise<void> {
    const body = { accept_token: offer.get('accept_token'), first_name: firstName, last_name: lastName };
    const path = `/v1/transfers/${encodeURIComponent(offer.get('transfer_id') ?? '')}/accept`;
    const send = (as: { readonly ssoToken?: string }) => call<LinkedTicket>('POST', path, { body, ...as });
    try {
      const ofFan = fan && (await asLinkedFan(fan.token, (ssoToken) => send({ ssoToken })));
      // A fan whom the club does not know has no My tickets yet, and gets the ticket as a guest does.
      onAccepted(ofFan ?? (await send({})));
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <Page title="A friend gives you a ticket" intro="Whose name should be on it?">
      {fan === undefined && (
        <p>
          <Link to={`/sign-in?back=accept${location.hash}`}>Sign in</Link> first to find it under My tickets later. It
          works without, too.
        </p>
      )}
      {problem !== undefined && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      <form
        class="ticket-form"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void accept();
        }}
      >
        <Field label="First name" autoComplete="given-name" value={firstName} onChange={setFirstName} />
        <Field label="Last name" autoComplete="family-name" value={lastName} onChange={setLastName} />
        <button type="submit" class="button">
          Accept the ticket
        </button>
      </form>
    </Page>
  );
}
