import { eventFacts } from './event-mails.ts';
import { fanText } from './fan-text.ts';
import { linksOf, readOrder, type Ticket, ticketFacts } from './order-mails.ts';
import { mailTo, type Plan } from './planned.ts';

interface Given {
  readonly event_id: string;
  readonly order_id: number;
  readonly ticket: Ticket;
  readonly transfer: {
    readonly transfer_id: string;
    readonly ticket_id: number;
    readonly email: string;
    readonly expires_at: number;
  };
}

/**
 * Somebody is offered a ticket. The token of an offer is shown once, to the page that makes it, so no mail can have it: the giver sends the
 * link, and this mail says from whom it comes and until when it can be accepted.
 */
export const offeredMail: Plan<Given> = async ({ data: { event_id, ticket, transfer } }, office) => {
  const path = `/v1/tickets/${transfer.ticket_id}/transfers`;
  const offers = await office.gateline.find<{ data: readonly { transfer_id: string; status: string }[] }>(path);
  const offer = offers?.data.find(({ transfer_id }) => transfer_id === transfer.transfer_id);
  if (offer?.status !== 'offered') return [];
  return mailTo(transfer.email, 'transfer_offered', {
    ...(await eventFacts(event_id, office)),
    ...ticketFacts({ ...ticket, ticket_name: null }),
    giver: fanText(ticket.ticket_name),
    until: office.words.time(transfer.expires_at),
  });
};

/** The new holder gets the ticket, and the buyer hears that it was accepted. */
export const acceptedMails: Plan<Given> = async ({ data: { event_id, order_id, ticket, transfer } }, office) => {
  const [now, order] = await Promise.all([
    office.gateline.find<Ticket>(`/v1/tickets/${ticket.ticket_id}`),
    readOrder(office, order_id),
  ]);
  const facts = { ...(await eventFacts(event_id, office)), ...ticketFacts(ticket) };
  // Another code: the ticket was given to somebody else again, whose link this is.
  const links = linksOf(now?.barcode === ticket.barcode && now?.ticket_status_id === 1 ? now?.link : null);
  return [
    ...mailTo(transfer.email, 'transfer_accepted', { ...facts, ...links }),
    ...mailTo(order?.email_address, 'transfer_done', { ...facts, name: order?.first_name ?? '' }),
  ];
};
