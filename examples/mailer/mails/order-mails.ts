import type { Facts } from '../render.ts';
import { eventFacts } from './event-mails.ts';
import { fanText } from './fan-text.ts';
import { mailTo, type Office, type Plan } from './planned.ts';

export interface Ticket {
  readonly ticket_id: number;
  readonly ticket_status_id: number;
  readonly barcode: string | null;
  readonly price_title: string | null;
  readonly price_category_title: string | null;
  readonly ticket_name: string | null;
  readonly section_label: string | null;
  readonly seat_row: string | null;
  readonly seat_title: string | null;
  readonly link?: string | null;
}

export interface Order {
  readonly order_id: number;
  readonly email_address: string | null;
  readonly first_name: string | null;
  readonly currency: string;
  readonly total: number;
  readonly outstanding: number;
  readonly due_unix: number | null;
  readonly event_id: string | null;
  readonly event_title: string | null;
  readonly link: string | null;
  readonly tickets: readonly Ticket[];
  readonly memberships: readonly {
    readonly membership_member_id: number;
    readonly type_title: string | null;
    readonly first_name: string | null;
    readonly last_name: string | null;
    readonly member_number: string;
    readonly expires: number | null;
  }[];
}

type Sold = Pick<Order, 'order_id' | 'tickets'>;

interface Refund {
  readonly order_id: number;
  readonly amount: number;
  readonly kept: number;
  readonly to_return: number;
  readonly currency: string;
  readonly ticket_ids: readonly number[];
}

export const readOrder = (office: Office, id: number | string) => office.gateline.find<Order>(`/v1/orders/${id}`);

/** One mail for each order. A renewal is announced by an event of its own. */
export const orderMail: Plan<{ readonly order: Sold }> = async ({ data }, office) => {
  const order = await readOrder(office, data.order.order_id);
  if (order === undefined || (await isRenewal(office, order))) return [];
  return mailTo(order.email_address, order.tickets.length > 0 ? 'order' : 'membership_bought', {
    ...orderFacts(order, office),
    ...(await eventFacts(order.event_id, office)),
    tickets: await Promise.all(order.tickets.map((ticket) => soldTicket(ticket, data.order.tickets, office))),
    memberships: order.memberships.map((one) => membershipFacts(one, office)),
  });
};

export const membershipFacts = (one: Order['memberships'][number], { words }: Office): Facts => ({
  title: one.type_title ?? '',
  person: fanText([one.first_name, one.last_name].filter(Boolean).join(' ')),
  number: one.member_number,
  until: one.expires === null ? '' : words.day(one.expires),
});

async function isRenewal({ gateline }: Office, { order_id, memberships }: Order): Promise<boolean> {
  const [first] = memberships;
  if (first === undefined) return false;
  const path = `/v1/members/${first.membership_member_id}/terms`;
  const terms = await gateline.find<{ data: readonly { order_id: string | number; from: number }[] }>(path);
  const [earliest] = [...(terms?.data ?? [])].sort((a, b) => a.from - b.from);
  return earliest !== undefined && String(earliest.order_id) !== String(order_id);
}

function orderFacts(order: Order, { words }: Office): Facts {
  const { currency, outstanding, due_unix } = order;
  return {
    name: order.first_name ?? '',
    order: String(order.order_id),
    total: words.money(order.total, currency),
    outstanding: outstanding > 0 && words.money(outstanding, currency),
    due: due_unix !== null && outstanding > 0 && words.day(due_unix),
    link: order.link ?? false,
  };
}

/**
 * A ticket with its links. A key gets the link of whoever has the ticket now: if its code is not the one that was sold, the ticket was
 * given away meanwhile, and the link is not the buyer's.
 */
async function soldTicket(ticket: Ticket, sold: readonly Ticket[], { gateline }: Office): Promise<Facts> {
  const barcode = sold.find((one) => one.ticket_id === ticket.ticket_id)?.barcode;
  const now = await gateline.find<Ticket>(`/v1/tickets/${ticket.ticket_id}`);
  const isOwn = barcode !== null && now?.barcode === barcode && now?.ticket_status_id === 1;
  return { ...ticketFacts(ticket), ...linksOf(isOwn ? now?.link : null) };
}

export function ticketFacts(ticket: Ticket): Facts {
  const seat = [ticket.section_label, ticket.seat_row, ticket.seat_title].filter(Boolean).join(' ');
  const title = [ticket.price_category_title, ticket.price_title, seat, fanText(ticket.ticket_name)];
  return { ticket: title.filter(Boolean).join(', ') };
}

/** The page of a ticket has its code and the passes for the wallets of phones; the PDF lies beside it. */
export const linksOf = (page: string | null | undefined): Facts =>
  page ? { page, pdf: page.replace('/page?', '/pdf?') } : { page: false, pdf: false };

const endedTickets = (tickets: readonly Ticket[], ids: readonly number[]): readonly Facts[] =>
  tickets.filter(({ ticket_id }) => ids.includes(ticket_id)).map(ticketFacts);

export const refundMail: Plan<{ readonly refund: Refund }> = async ({ data: { refund } }, office) => {
  const order = await readOrder(office, refund.order_id);
  if (order === undefined) return [];
  const { words } = office;
  return mailTo(order.email_address, 'refund', {
    ...orderFacts(order, office),
    amount: words.money(refund.amount, refund.currency),
    kept: refund.kept > 0 && words.money(refund.kept, refund.currency),
    by_hand: refund.to_return > 0,
    event: order.event_title ?? false,
    tickets: endedTickets(order.tickets, refund.ticket_ids),
  });
};

/** Tickets that ended without money. Of a cancelled event, everybody hears by its own mail. */
export const cancelledMail: Plan<{ readonly order: Sold; readonly cancelled_tickets: readonly Ticket[] }> = async (
  { data },
  office,
) => {
  const order = await readOrder(office, data.order.order_id);
  const event = order && (await eventFacts(order.event_id, office));
  if (order === undefined || event?.cancelled === true) return [];
  const ids = data.cancelled_tickets.map(({ ticket_id }) => ticket_id);
  return mailTo(order.email_address, 'order_cancelled', {
    ...orderFacts(order, office),
    event: order.event_title ?? false,
    tickets: endedTickets(order.tickets, ids),
  });
};

/** No event announces that an invoice is due: `remind` makes one up for each order and due date. */
export const invoiceMail: Plan<Pick<Order, 'order_id'>> = async ({ data }, office) => {
  const order = await readOrder(office, data.order_id);
  if (order === undefined || order.outstanding === 0) return [];
  return mailTo(order.email_address, 'invoice_due', {
    ...orderFacts(order, office),
    event: order.event_title ?? false,
  });
};
