import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { TicketDocuments } from '../../../site/browser/parts/ticket-documents.tsx';
import type { List } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';
import { money, tickets } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { CancelTicket, cancelledText } from '../parts/cancel-ticket.tsx';
import { GiveAway } from '../parts/give-away.tsx';
import { Memberships } from '../parts/membership.tsx';
import { OrderReceipts } from '../parts/order-receipts.tsx';
import { SignInFirst } from '../parts/sign-in-first.tsx';
import { Tickets } from '../parts/ticket.tsx';
import type { FanMembership, FanOrder, LinkedTicket, OwnCancellation, Ticket } from '../resources.ts';
import { call } from '../state/api.ts';
import { dateTime } from '../state/format.ts';
import { asLinkedFan } from '../state/link-fan.ts';
import { remember, session } from '../state/session.ts';

/** The orders and the memberships of the signed-in fan. */
export function MyTicketsPage() {
  const { fan } = session();
  if (fan === undefined) {
    return <SignInFirst title="My tickets" intro="Sign in to see the tickets that you have bought." />;
  }
  return <Belongings fan={fan} />;
}

function signOut(): void {
  remember({ fan: undefined });
  navigate('/sign-in');
}

function Belongings({ fan }: { readonly fan: { name: string; token: string } }) {
  const loaded = useLoaded(() => belongingsOf(fan.token), [fan.token]);
  const mustSignIn = loaded.state === 'failed' && hasCode(loaded.error, 'sso_token_invalid');
  return (
    <Page title="My tickets" intro={`Signed in as ${fan.name}.`}>
      <p>
        <button type="button" class="button quiet small" onClick={signOut}>
          {mustSignIn ? 'Sign in again' : 'Sign out'}
        </button>{' '}
        <Link to="/my-details">My details</Link>
      </p>
      <WhenLoaded of={loaded} what="your tickets">
        {({ orders, memberships }) => (
          <>
            {memberships.length > 0 && <Memberships memberships={memberships} />}
            {orders.length === 0 ? <NoTickets /> : <Orders orders={orders} ssoToken={fan.token} />}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function NoTickets() {
  return (
    <Notice title="No tickets yet">
      <p>Tickets that you buy while you are signed in appear here.</p>
      <Link to="/" class="button">
        See all events
      </Link>
    </Notice>
  );
}

interface OrdersProps {
  readonly orders: readonly FanOrder[];
  readonly ssoToken: string;
}

/** Half a day after its start an event is over. An order of memberships has none. */
const isPast = ({ event_start }: FanOrder): boolean =>
  event_start !== null && Date.parse(event_start) < nowMs() - 12 * 3_600_000;

/** The orders, and apart from them those of events that are over. */
function Orders({ orders, ...shown }: OrdersProps) {
  const past = orders.filter(isPast);
  return (
    <>
      <OrderList orders={orders.filter((order) => !isPast(order))} {...shown} />
      {past.length > 0 && (
        <section aria-labelledby="past">
          <h2 id="past">Past events</h2>
          <OrderList orders={past} {...shown} />
        </section>
      )}
    </>
  );
}

function OrderList({ orders, ssoToken }: OrdersProps) {
  return (
    <ul class="orders">
      {orders.map((order) => (
        <li key={order.order_id} class="card">
          <OrderCard order={order} ssoToken={ssoToken} when={dateTime(order.event_start ?? order.order_date)} />
        </li>
      ))}
    </ul>
  );
}

interface Belongings {
  readonly orders: readonly FanOrder[];
  readonly memberships: readonly FanMembership[];
}

/** What belongs to the fan: nothing yet, if the club does not know the fan. */
async function belongingsOf(fanToken: string): Promise<Belongings> {
  const found = await asLinkedFan(fanToken, async (ssoToken): Promise<Belongings> => {
    const [orders, memberships] = await Promise.all([
      call<List<FanOrder>>('GET', '/v1/sso/orders?order_status=all', { ssoToken }),
      call<List<FanMembership>>('GET', '/v1/sso/memberships', { ssoToken }),
    ]);
    return { orders: orders.data, memberships: memberships.data };
  });
  return found ?? { orders: [], memberships: [] };
}

interface OrderCardProps {
  readonly order: FanOrder;
  readonly ssoToken: string;
  readonly when: string;
}

function OrderCard({ order, ssoToken, when }: OrderCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <h2>{order.event_title ?? 'Memberships'}</h2>
      <p>
        {when}
        {order.venue_name !== null && ` · ${order.venue_name}`}
      </p>
      <p>
        {order.ticket_count > 0 && `${tickets(order.ticket_count)} · `}
        {money(order.total, order.currency)} · order {order.order_id}
      </p>
      <OrderState order={order} />
      {order.ticket_count > 0 && (
        <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide the tickets' : 'Show the tickets'}
          <span class="visually-hidden"> of {order.event_title}</span>
        </button>
      )}
      {order.total > 0 && <OrderReceipts orderId={order.order_id} ssoToken={ssoToken} />}
      {isOpen && <OrderTickets order={order} ssoToken={ssoToken} when={when} />}
    </>
  );
}

/** What became of the order: nothing to say of one that is valid as it was bought. */
function OrderState({ order: { event_title, ticket_count, refunded, currency } }: { readonly order: FanOrder }) {
  const amount = money(refunded, currency);
  if (event_title !== null && ticket_count === 0) {
    return <State tone="bad">{refunded > 0 ? `Cancelled, refunded ${amount}` : 'Cancelled'}</State>;
  }
  return refunded > 0 ? <State>Refunded {amount}</State> : null;
}

/** A line of its own: the buttons come below. */
const State = ({ tone = '', children }: { readonly tone?: 'bad' | ''; readonly children: ComponentChildren }) => (
  <p>
    <span class={`tag ${tone}`}>{children}</span>
  </p>
);

function OrderTickets({ order, ssoToken, when }: OrderCardProps) {
  const [endings, setEndings] = useState<ReadonlyMap<number, string>>(new Map());
  const path = `/v1/sso/orders/${order.order_id}/tickets`;
  const loaded = useLoaded(() => call<List<Ticket>>('GET', path, { ssoToken }), [path]);
  return (
    <WhenLoaded of={loaded} what="the tickets">
      {({ data }) => (
        <>
          {order.ticket_count > data.length && (
            <Notice>
              <p>
                {order.ticket_count - data.length} of {tickets(order.ticket_count)} given to friends.
              </p>
            </Notice>
          )}
          <Tickets tickets={data} eventTitle={order.event_title ?? ''} when={when} endings={endings}>
            {({ ticket_id }, name) => (
              <TicketActions
                ticketId={ticket_id}
                name={name}
                ssoToken={ssoToken}
                onCancelled={(cancelled) => setEndings((all) => new Map(all).set(ticket_id, cancelledText(cancelled)))}
              />
            )}
          </Tickets>
        </>
      )}
    </WhenLoaded>
  );
}

interface TicketActionsProps {
  readonly ticketId: number;
  readonly name: string;
  readonly ssoToken: string;
  readonly onCancelled: (cancelled: OwnCancellation) => void;
}

function TicketActions(props: TicketActionsProps) {
  const { ticketId, name, ssoToken } = props;
  const path = `/v1/tickets/${ticketId}`;
  const loaded = useLoaded(() => call<LinkedTicket>('GET', path, { ssoToken }), [path]);
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
      <GiveAway ticketId={ticketId} ssoToken={ssoToken} />
    </>
  );
}
