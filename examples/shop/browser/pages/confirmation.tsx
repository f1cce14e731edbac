import { QuietButton } from '../../../site/browser/parts/button.tsx';
import { ButtonLink, QuietLink } from '../../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { TicketDocuments } from '../../../site/browser/parts/ticket-documents.tsx';
import type { ClubEvent } from '../../../site/browser/resources.ts';
import { money, tickets } from '../../../site/browser/state/format.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { Cards } from '../parts/membership.tsx';
import { SharedLink } from '../parts/shared-link.tsx';
import { Tickets } from '../parts/ticket.tsx';
import type { Order } from '../resources.ts';
import { boughtLinks, boughtOrder, type Links } from '../state/basket.ts';
import { event } from '../state/catalogue.ts';
import { memberships } from '../state/format.ts';
import { session } from '../state/session.ts';

/** The order with its tickets and memberships. A reload shows it again. */
export function ConfirmationPage() {
  const bought = useLoaded(async () => {
    const order = await boughtOrder();
    if (order === undefined) return undefined;
    // The tickets are shown before their documents, and without them, too.
    const links = boughtLinks().catch((): Links => ({}));
    return { order, links, event: order.event_id === null ? undefined : await event(order.event_id) };
  }, []);
  return (
    <Page title="See you there!">
      <WhenLoaded of={bought} what="your tickets">
        {(found) =>
          found === undefined ? (
            <Notice title="There is no order in this tab">
              <ButtonLink to="/my-tickets">My tickets</ButtonLink>
            </Notice>
          ) : (
            <Bought {...found} />
          )
        }
      </WhenLoaded>
    </Page>
  );
}

interface BoughtProps {
  readonly order: Order;
  readonly links: Promise<Links>;
  /** Undefined for an order of memberships only. */
  readonly event: ClubEvent | undefined;
}

function Bought({ order, links, event: shown }: BoughtProps) {
  const codes = order.tickets.length + order.memberships.length;
  const parts = [
    ...(order.tickets.length > 0 ? [tickets(order.tickets.length)] : []),
    ...(order.memberships.length > 0 ? [memberships(order.memberships.length)] : []),
  ];
  return (
    <>
      <Notice tone="good" title="Your order is confirmed">
        <p>
          Order {order.order_id}, {parts.join(', ')}. Show {codes === 1 ? 'this code' : 'these codes'} at the gate.
          {order.link === null && session().fan === undefined && ' Print or save this page: it ends with the tab.'}
        </p>
        <p>{chargedToday(order)}</p>
      </Notice>
      {order.link !== null && (
        <Notice title="Keep this link">
          <p>Your tickets and their documents are there, without signing in. Whoever has the link has the tickets.</p>
          <SharedLink address={order.link} label={`Order ${order.order_id}`} />
        </Notice>
      )}
      {order.memberships.length > 0 && <Cards memberships={order.memberships} />}
      {shown !== undefined && (
        <Tickets tickets={order.tickets} eventTitle={shown.title} when={shown.formatted_full_event_start_date}>
          {({ ticket_id }, name) => (
            <TicketDocuments ticketId={ticket_id} name={name} loadLink={async () => (await links)[ticket_id] ?? null} />
          )}
        </Tickets>
      )}
      <div class="action buttons">
        <QuietButton onClick={() => print()}>Print</QuietButton>
        <QuietLink to="/">More events</QuietLink>
      </div>
    </>
  );
}

/** What the buyer has paid, and that the rest of instalments is charged later. */
function chargedToday({ total, currency }: Order): string {
  const { charged = total } = session();
  if (charged === total) return `Charged today: ${money(total, currency)}.`;
  return `Charged today: ${money(charged, currency)} of ${money(total, currency)}. The rest is charged on the days that you agreed to.`;
}
