import { useState } from 'preact/hooks';
import { SmallButton } from '../../../site/browser/parts/button.tsx';
import { ButtonLink, Link } from '../../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { TicketDocuments } from '../../../site/browser/parts/ticket-documents.tsx';
import type { List } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';
import { money, tickets } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { CancelTicket, type CancelTicketProps, cancelledText } from '../parts/cancel-ticket.tsx';
import { GiveAway } from '../parts/give-away.tsx';
import { Memberships } from '../parts/membership.tsx';
import { OrderReceipts } from '../parts/order-receipts.tsx';
import { signInFirst } from '../parts/sign-in-first.tsx';
import { Tickets } from '../parts/ticket.tsx';
import type { FanMembership, FanOrder, LinkedTicket, Ticket } from '../resources.ts';
import { call } from '../state/api.ts';
import { dateTime } from '../state/format.ts';
import { asLinkedFan } from '../state/link-fan.ts';
import { remember, session, signedIn } from '../state/session.ts';

/** The orders and the memberships of the signed-in fan. */
export const MyTicketsPage = signInFirst('My tickets', 'Sign in to see the tickets that you have bought.', Belongings);

function signOut(): void {
  remember({ fan: undefined });
  navigate('/sign-in');
}

function Belongings() {
  const loaded = useLoaded(belongings, []);
  const mustSignIn = loaded.state === 'failed' && hasCode(loaded.error, 'sso_token_invalid');
  return (
    <Page title="My tickets" intro={`Signed in as ${session().fan?.name}.`}>
      <p>
        <SmallButton onClick={signOut}>{mustSignIn ? 'Sign in again' : 'Sign out'}</SmallButton>{' '}
        <Link to="/my-details">My details</Link>
      </p>
      <WhenLoaded of={loaded} what="your tickets">
        {({ orders, memberships }) => (
          <>
            {memberships.length > 0 && <Memberships memberships={memberships} />}
            <Orders orders={orders} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

/** Half a day after its start an event is over. An order of memberships has none. */
const isPast = ({ event_start }: FanOrder): boolean =>
  event_start !== null && Date.parse(event_start) < nowMs() - 12 * 3_600_000;

/** The orders, and apart from them those of events that are over. */
function Orders({ orders }: { readonly orders: readonly FanOrder[] }) {
  if (orders.length === 0) {
    return (
      <Notice title="No tickets yet">
        <p>Tickets that you buy while you are signed in appear here.</p>
        <ButtonLink to="/">See all events</ButtonLink>
      </Notice>
    );
  }
  const past = orders.filter(isPast);
  return (
    <>
      <OrderList orders={orders.filter((order) => !isPast(order))} />
      {past.length > 0 && (
        <section aria-labelledby="past">
          <h2 id="past">Past events</h2>
          <OrderList orders={past} />
        </section>
      )}
    </>
  );
}

const OrderList = ({ orders }: { readonly orders: readonly FanOrder[] }) => (
  <ul class="orders">
    {orders.map((order) => (
      <OrderCard key={order.order_id} order={order} />
    ))}
  </ul>
);

/** What belongs to the fan: nothing yet, if the club does not know the fan. */
async function belongings() {
  const found = await asLinkedFan(() =>
    Promise.all([
      call<List<FanOrder>>('GET', '/v1/sso/orders?order_status=all', signedIn()),
      call<List<FanMembership>>('GET', '/v1/sso/memberships', signedIn()),
    ]),
  );
  const [orders, memberships] = found ?? [];
  return { orders: orders?.data ?? [], memberships: memberships?.data ?? [] };
}

const whenOf = ({ event_start, order_date }: FanOrder): string => dateTime(event_start ?? order_date);

interface OrderProps {
  readonly order: FanOrder;
}

function OrderCard({ order }: OrderProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li class="card">
      <h2>{order.event_title ?? 'Memberships'}</h2>
      <p>
        {whenOf(order)}
        {order.venue_name !== null && ` · ${order.venue_name}`}
      </p>
      <p>
        {order.ticket_count > 0 && `${tickets(order.ticket_count)} · `}
        {money(order.total, order.currency)} · order {order.order_id}
      </p>
      <OrderState order={order} />
      {order.ticket_count > 0 && (
        <SmallButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide the tickets' : 'Show the tickets'}
          <span class="visually-hidden"> of {order.event_title}</span>
        </SmallButton>
      )}
      {order.total > 0 && <OrderReceipts orderId={order.order_id} />}
      {isOpen && <OrderTickets order={order} />}
    </li>
  );
}

/** What became of the order, on a line of its own: nothing to say of one that is valid as it was bought. */
function OrderState({ order: { event_title, ticket_count, refunded, currency } }: OrderProps) {
  const isCancelled = event_title !== null && ticket_count === 0;
  if (!isCancelled && refunded === 0) return null;
  const amount = money(refunded, currency);
  const cancelled = refunded > 0 ? `Cancelled, refunded ${amount}` : 'Cancelled';
  return (
    <p>
      <span class={isCancelled ? 'tag bad' : 'tag'}>{isCancelled ? cancelled : `Refunded ${amount}`}</span>
    </p>
  );
}

function OrderTickets({ order }: OrderProps) {
  const [endings, setEndings] = useState<ReadonlyMap<number, string>>(new Map());
  const path = `/v1/sso/orders/${order.order_id}/tickets`;
  const loaded = useLoaded(() => call<List<Ticket>>('GET', path, signedIn()), [path]);
  return (
    <WhenLoaded of={loaded} what="the tickets">
      {({ data }) => (
        <>
          {order.ticket_count > data.length && (
            <Notice text={`${order.ticket_count - data.length} of ${tickets(order.ticket_count)} given to friends.`} />
          )}
          <Tickets tickets={data} eventTitle={order.event_title ?? ''} when={whenOf(order)} endings={endings}>
            {({ ticket_id }, name) => (
              <TicketActions
                ticketId={ticket_id}
                name={name}
                onCancelled={(cancelled) => setEndings((all) => new Map(all).set(ticket_id, cancelledText(cancelled)))}
              />
            )}
          </Tickets>
        </>
      )}
    </WhenLoaded>
  );
}

function TicketActions(props: CancelTicketProps) {
  const { ticketId, name } = props;
  const path = `/v1/tickets/${ticketId}`;
  const loaded = useLoaded(() => call<LinkedTicket>('GET', path, signedIn()), [path]);
  return (
    <>
      <WhenLoaded of={loaded} what="the documents">
        {({ link, self_cancel_until_unix: until }) => (
          <>
            <TicketDocuments ticketId={ticketId} name={name} loadLink={async () => link} />
            {until !== null && until * 1000 > nowMs() && <CancelTicket {...props} />}
          </>
        )}
      </WhenLoaded>
      <GiveAway ticketId={ticketId} />
    </>
  );
}
