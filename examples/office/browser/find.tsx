import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, Organisation } from '../../site/browser/resources.ts';
import { seatOf } from '../../site/browser/state/format.ts';
import { navigate, useHash, usePath } from '../../site/browser/state/router.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { CustomerLines, MemberLines, nameOf, OrderLines, TicketStatus } from './people.tsx';
import type { KnownCustomer, Member, OfficeOrder, OfficeTicket } from './resources.ts';

/** What is searched for stands behind the #, which no server sees or keeps: it is often a name or an address. */
function useSearched(): string {
  const [path, hash] = [usePath(), useHash()];
  // Other pages use it for their own parts.
  return path === '/office/find' ? decodeURIComponent(hash.slice(1)) : '';
}

/** The same text again is another search: somebody may have bought in between. */
const searchedAgain = 'office:searched-again';

/** The search of every page of the office. */
export function FindField() {
  const searched = useSearched();
  const [text, setText] = useState(searched);
  useEffect(() => setText(searched), [searched]);
  return (
    <search class="find">
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (text.trim() === '') return;
          // The same text again is another search, but no other page to go back to.
          navigate(`/office/find#${encodeURIComponent(text.trim())}`, { replace: text.trim() === searched });
          window.dispatchEvent(new Event(searchedAgain));
        }}
      >
        <input
          type="search"
          aria-label="Find an order, a customer, a member or a ticket"
          placeholder="Name, email or number"
          value={text}
          autocomplete="off"
          autocapitalize="none"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="button small">
          Find
        </button>
      </form>
    </search>
  );
}

interface FoundTicket extends OfficeTicket {
  readonly order: Pick<OfficeOrder, 'order_id' | 'event_title' | 'first_name' | 'last_name'>;
}

/** How many of each kind are shown at first, and after somebody asked for more. */
const [few, many] = [10, 100];

/** Numbers on cards begin with zeros, which nobody reads out. */
const cardDigits = 7;

async function find(text: string, most: number) {
  const query = encodeURIComponent(text);
  const list = async <Item,>(path: string) => (await officeCall<List<Item>>('GET', `${path}&limit=${most}`)).data;
  // Only a single word can be a barcode.
  const hasBarcode = /^\S+$/.test(text);
  const [orders, ofBarcode, customers, members, ofCard, numbered] = await Promise.all([
    list<OfficeOrder>(`/v1/orders?search=${query}`),
    hasBarcode ? list<OfficeOrder>(`/v1/orders?barcode=${query}`) : [],
    list<KnownCustomer>(`/v1/customers?search=${query}`),
    list<Member>(`/v1/members?search=${query}`),
    /^\d{1,6}$/.test(text) ? list<Member>(`/v1/members?search=${text.padStart(cardDigits, '0')}`) : [],
    /^\d{1,16}$/.test(text) ? ticketOf(text) : [],
  ]);
  const scanned = ofBarcode.flatMap((order) =>
    order.tickets
      .filter(({ barcode }) => barcode?.toUpperCase() === text.toUpperCase())
      .map((ticket): FoundTicket => ({ ...ticket, order })),
  );
  const all = new Map([...ofCard, ...members].map((member) => [member.membership_member_id, member]));
  return { orders, customers, members: [...all.values()], tickets: [...scanned, ...numbered] };
}

/** The ticket with this number, if there is one. Only its order says who bought it. */
async function ticketOf(id: string): Promise<readonly FoundTicket[]> {
  const ticket = await officeCall<OfficeTicket & { readonly order_id: number }>('GET', `/v1/tickets/${id}`).catch(
    () => undefined,
  );
  if (ticket === undefined) return [];
  return [{ ...ticket, order: await officeCall<OfficeOrder>('GET', `/v1/orders/${ticket.order_id}`) }];
}

/** Everything that matches what was searched for. */
export function FindPage({ organisation }: { readonly organisation: Organisation }) {
  const searched = useSearched();
  return (
    <Page title={`Search: ${searched}`}>
      <Found key={searched} searched={searched} timezone={organisation.timezone} />
    </Page>
  );
}

function Found({ searched, timezone }: { readonly searched: string; readonly timezone: string }) {
  const [most, setMost] = useState(few);
  const [searches, setSearches] = useState(0);
  useEffect(() => {
    const again = (): void => setSearches((count) => count + 1);
    window.addEventListener(searchedAgain, again);
    return () => window.removeEventListener(searchedAgain, again);
  }, []);
  const loaded = useLoaded(() => find(searched, most), [most, searches]);
  const group = { most, onMore: () => setMost(many) };
  return (
    <WhenLoaded of={loaded} what="what matches">
      {({ orders, customers, members, tickets }) => (
        <>
          {orders.length + customers.length + members.length + tickets.length === 0 && (
            <Notice title="Nothing matches">
              <p>
                Try a part of the buyer’s name or address, the number on the ticket or card, or the number of the order.
                Orders are not found by the name of somebody else on a ticket.
              </p>
            </Notice>
          )}
          <Group {...group} title="Tickets" count={tickets.length}>
            <ul class="lines">
              {tickets.map((ticket) => (
                <TicketLine key={ticket.ticket_id} ticket={ticket} />
              ))}
            </ul>
          </Group>
          <Group {...group} title="Orders" count={orders.length}>
            <OrderLines of={orders} timezone={timezone} />
          </Group>
          <Group {...group} title="Customers" count={customers.length}>
            <CustomerLines of={customers} />
          </Group>
          <Group {...group} title="Members" count={members.length}>
            <MemberLines of={members} />
          </Group>
        </>
      )}
    </WhenLoaded>
  );
}

interface GroupProps {
  readonly title: string;
  readonly most: number;
  readonly onMore: () => void;
  readonly count: number;
  readonly children: ComponentChildren;
}

function Group({ title, count, most, onMore, children }: GroupProps) {
  if (count === 0) return null;
  return (
    <section class="stack">
      <h2>{title}</h2>
      {children}
      {count >= most && (
        <p class="hint">
          These are the first {count}. Type more to find fewer.{' '}
          {most === few && (
            <button type="button" class="button quiet small" onClick={onMore}>
              Show more
            </button>
          )}
        </p>
      )}
    </section>
  );
}

function TicketLine({ ticket }: { readonly ticket: FoundTicket }) {
  const { order, price_category_title, price_title, ticket_name } = ticket;
  const facts = [`${price_category_title}, ${price_title}`, seatOf(ticket), ticket_name ?? 'no name'];
  return (
    <li class="line">
      <span>
        <Link to={`/office/orders/${order.order_id}`}>
          Ticket {ticket.ticket_id} of order {order.order_id}
        </Link>
        <span class="hint">
          {[order.event_title, ...facts, `bought by ${nameOf(order)}`].filter(Boolean).join(' · ')}
        </span>
      </span>
      <TicketStatus ticket={ticket} />
    </li>
  );
}
