import type { ComponentChildren } from 'preact';
import { Link } from '../../site/browser/parts/link.tsx';
import type { Named } from '../../site/browser/resources.ts';
import { day, fullName, money, tickets } from '../../site/browser/state/format.ts';
import type { KnownCustomer, Member, OfficeOrder, OfficeTicket } from './resources.ts';

export const nameOf = (person: Named): string => fullName(person) || 'Without a name';

const orderStatus = {
  pending: <span class="tag">Not paid yet</span>,
  confirmed: <span class="tag good">Paid</span>,
  cancelled: <span class="tag bad">Cancelled</span>,
  refunded: <span class="tag bad">Refunded</span>,
} as const;

export function OrderStatus({ order }: { readonly order: OfficeOrder }) {
  if (order.order_status !== 'confirmed') return orderStatus[order.order_status];
  if (order.payment_method === 'complimentary') return <span class="tag good">Complimentary</span>;
  if (order.outstanding > 0) return <span class="tag">{order.paid > 0 ? 'Paid in part' : 'Not paid yet'}</span>;
  return orderStatus.confirmed;
}

const ticketStatus = [
  <span class="tag">Not paid yet</span>,
  <span class="tag good">Valid</span>,
  <span class="tag bad">Cancelled</span>,
  <span class="tag bad">Refunded</span>,
] as const;

export const TicketStatus = ({ ticket }: { readonly ticket: Pick<OfficeTicket, 'ticket_status_id'> }) =>
  ticketStatus[ticket.ticket_status_id];

const memberStatus = [
  <span class="tag bad">Not paid</span>,
  <span class="tag good">Paid</span>,
  <span class="tag">Pays in instalments</span>,
  <span class="tag bad">Cancelled</span>,
] as const;

export const MemberStatus = ({ member }: { readonly member: Member }) =>
  memberStatus[member.membership_member_status_id];

/** What was bought, such as 2 tickets · Season card. */
function contentsOf({ tickets: sold, memberships }: OfficeOrder): string {
  const titles = [...new Set(memberships.map(({ type_title }) => type_title))];
  return [...(sold.length > 0 ? [tickets(sold.length)] : []), ...titles].join(' · ');
}

interface ListedProps {
  readonly to: string;
  readonly title: string;
  readonly facts: readonly (string | null)[];
  readonly children?: ComponentChildren;
}

function Listed({ to, title, facts, children }: ListedProps) {
  return (
    <li class="line">
      <span>
        <Link to={to}>{title}</Link>
        <span class="hint">{facts.filter(Boolean).join(' · ')}</span>
      </span>
      {children}
    </li>
  );
}

export function OrderLines({ of, timezone }: { readonly of: readonly OfficeOrder[]; readonly timezone: string }) {
  return (
    <ul class="lines">
      {of.map((order) => (
        <Listed
          key={order.order_id}
          to={`/office/orders/${order.order_id}`}
          title={`Order ${order.order_id}, ${nameOf(order)}`}
          facts={[
            order.email_address,
            order.event_title,
            contentsOf(order),
            money(order.total, order.currency),
            `bought ${day(order.order_date, timezone)}`,
          ]}
        >
          <OrderStatus order={order} />
        </Listed>
      ))}
    </ul>
  );
}

export function CustomerLines({ of }: { readonly of: readonly KnownCustomer[] }) {
  return (
    <ul class="lines">
      {of.map((customer) => (
        <Listed
          key={customer.user_id}
          to={`/office/customers/${customer.user_id}`}
          title={nameOf(customer)}
          facts={[customer.email_address, customer.mobile_number, customer.postcode]}
        />
      ))}
    </ul>
  );
}

export function MemberLines({ of }: { readonly of: readonly Member[] }) {
  return (
    <ul class="lines">
      {of.map((member) => (
        <Listed
          key={member.membership_member_id}
          to={`/office/members/${member.membership_member_id}`}
          title={nameOf(member)}
          facts={[member.member_number && `Member ${member.member_number}`, member.type_title, member.email_address]}
        >
          <MemberStatus member={member} />
        </Listed>
      ))}
    </ul>
  );
}
