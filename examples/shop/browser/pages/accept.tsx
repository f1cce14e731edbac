import { useState } from 'preact/hooks';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { TicketDocuments } from '../../../site/browser/parts/ticket-documents.tsx';
import { config } from '../../../site/browser/state/config.ts';
import { seatOf } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { Field } from '../parts/field.tsx';
import { SharedLink } from '../parts/shared-link.tsx';
import { Tickets } from '../parts/ticket.tsx';
import type { LinkedTicket, OfferedTicket } from '../resources.ts';
import { call } from '../state/api.ts';
import { dateTime } from '../state/format.ts';
import { asLinkedFan } from '../state/link-fan.ts';
import { session, signedIn } from '../state/session.ts';

const inHash = (name: string): string | null => new URLSearchParams(location.hash.slice(1)).get(name);

/** The link of a ticket that was accepted here: only one of the API, whatever an address says. */
function acceptedLink(): string | undefined {
  const link = inHash('ticket');
  return link?.startsWith(`${config().apiUrl}/v1/tickets/`) ? link : undefined;
}

/** Where a friend accepts a ticket. A friend who is signed in finds it among their own tickets from then on. */
export function AcceptPage() {
  const [ticket, setTicket] = useState<LinkedTicket>();
  const link = ticket === undefined ? acceptedLink() : (ticket.link ?? undefined);
  const accepted = (taken: LinkedTicket): void => {
    // A reload shows the ticket again, to guests too.
    if (taken.link !== null) history.replaceState(null, '', `#${new URLSearchParams({ ticket: taken.link })}`);
    setTicket(taken);
  };
  if (ticket === undefined && link === undefined) return <Offered onAccepted={accepted} />;
  return (
    <Page title="The ticket is yours" intro="Keep it in your wallet or as a PDF: the old code is not valid any more.">
      {link !== undefined && (
        <Notice tone="good" title="Keep this link">
          <p>Your ticket is there until the event is over. Whoever has the link has the ticket.</p>
          <SharedLink address={link} label="Open your ticket" />
        </Notice>
      )}
      {ticket !== undefined && (
        <Tickets tickets={[ticket]} eventTitle={ticket.event_title} when={dateTime(ticket.event_start)}>
          {({ ticket_id }, name) => (
            <TicketDocuments ticketId={ticket_id} name={name} loadLink={async () => ticket.link} />
          )}
        </Tickets>
      )}
    </Page>
  );
}

/** What is offered, and by whom, before the friend accepts it. */
function Offered({ onAccepted }: { readonly onAccepted: (ticket: LinkedTicket) => void }) {
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const { fan } = session();
  const accept_token = inHash('accept_token') ?? '';
  const path = `/v1/transfers/${encodeURIComponent(inHash('transfer_id') ?? '')}`;
  const offer = useLoaded(() => call<OfferedTicket>('POST', `${path}/preview`, { body: { accept_token } }), [path]);
  if (offer.state === 'failed' && hasCode(offer.error, 'transfer_not_open')) {
    return <Page title="This offer has ended" intro="Somebody accepted the ticket, or it was taken back." />;
  }

  async function accept(): Promise<void> {
    const body = { accept_token, first_name: firstName, last_name: lastName };
    const send = (as: { readonly ssoToken?: string }) => call<LinkedTicket>('POST', `${path}/accept`, { body, ...as });
    const ofFan = fan && (await asLinkedFan(() => send(signedIn())));
    // A fan whom the club does not know has no My tickets yet, and gets the ticket as a guest does.
    onAccepted(ofFan ?? (await send({})));
  }

  const giver = offer.state === 'ready' ? offer.value.giver_first_name : null;
  return (
    <Page title={`${giver ?? 'A friend'} gives you a ticket`}>
      <WhenLoaded of={offer} what="the ticket">
        {(offered) => (
          <>
            <div class="card">
              <h2>{offered.event_title}</h2>
              <p>{[dateTime(offered.event_start), offered.venue_name].filter(Boolean).join(' · ')}</p>
              <p>
                {offered.price_category_title} · {offered.price_title}
              </p>
              {seatOf(offered) !== '' && <p class="ticket-seat">{seatOf(offered)}</p>}
            </div>
            {fan === undefined && (
              <p>
                <Link to={`/sign-in?back=/accept${location.hash}`}>Sign in</Link> first to find it under My tickets
                later. It works without, too.
              </p>
            )}
            <ActionForm class="stack" act={accept} label="Accept the ticket">
              <p>Whose name should be on it?</p>
              <Field label="First name" autoComplete="given-name" value={firstName} onChange={setFirstName} />
              <Field label="Last name" autoComplete="family-name" value={lastName} onChange={setLastName} />
            </ActionForm>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}
