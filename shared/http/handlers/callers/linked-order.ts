import { findOrderRef, readOrderAt } from '../../../data/orders/read.ts';
import {
  linkKeyVersionOf,
  type OrganisationRecord,
  readOrganisation,
} from '../../../data/organisations/organisation.ts';
import { readTicketRules } from '../../../data/prices/ticket-rules.ts';
import type { Table } from '../../../data/table/table.ts';
import type { EventRecord } from '../../../domain/events/event.ts';
import { isSold, type OrderRecord } from '../../../domain/orders/order.ts';
import { type ShownTicket, shownTicket } from '../../../domain/orders/shown-order.ts';
import { hasOrderLink, isOnOrderPage, transferCount } from '../../../domain/orders/ticket-link.ts';
import type { PriceRecord } from '../../../domain/prices/price.ts';
import { linkKey } from '../../../platform/secret.ts';
import { linkTokenOf, type OrderLink, readOrderToken } from '../../auth/link-token.ts';

export interface LinkedOrder {
  readonly organisation: OrganisationRecord;
  readonly order: OrderRecord;
  readonly event: EventRecord;
  /** The valid tickets that the buyer has, as the buyer sees them now. `token` is that of the ticket's own link. */
  readonly tickets: readonly { readonly ticket: ShownTicket; readonly price: PriceRecord; readonly token: string }[];
  /** How many valid tickets somebody else has. */
  readonly givenAway: number;
}

/** Verifies the token of an order's link, without a call to the table; undefined for any other text. */
export async function verifyOrderLink(token: string): Promise<OrderLink | undefined> {
  return readOrderToken(await linkKey(), token);
}

/** The order of a link; undefined if the link has ended: by the event or a new key. */
export async function findLinkedOrder(
  table: Table,
  { orgId, orderId, keyVersion }: OrderLink,
  nowUnix: number,
): Promise<LinkedOrder | undefined> {
  const [organisation, ref] = await Promise.all([
    readOrganisation(table, orgId),
    findOrderRef(table, orgId, String(orderId)),
  ]);
  if (organisation === undefined || ref === undefined) return undefined;
  if (linkKeyVersionOf(organisation) !== keyVersion) return undefined;
  const { order, tickets } = await readOrderAt(table, orgId, ref);
  const indexes = tickets.map(({ priceIndex }) => priceIndex);
  const { event, prices } = await readTicketRules(table, orgId, ref.eventId, indexes);
  if (event === undefined || !hasOrderLink(order, event, nowUnix)) return undefined;
  const rootKey = await linkKey();
  const valid = tickets.filter(isSold);
  const own = valid.filter(isOnOrderPage);
  return {
    organisation,
    order,
    event,
    givenAway: valid.length - own.length,
    tickets: own.flatMap((ticket) => {
      const price = prices.find(({ index }) => index === ticket.priceIndex);
      if (price === undefined) return [];
      const { ticketId } = ticket;
      const token = linkTokenOf(rootKey, { orgId, ticketId, transfers: transferCount(ticket), keyVersion });
      return [{ ticket: shownTicket(ticket, { order, event, price }, nowUnix), price, token }];
    }),
  };
}
