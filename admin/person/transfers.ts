import { eraseOffers } from '../../shared/data/admin/erase-offers.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { readBarcodeRows, rowsOfferedTo, ticketsGivenTo } from '../../shared/data/transfers/read.ts';
import type { BarcodeRow } from '../../shared/data/transfers/row.ts';
import type { TicketRecord } from '../../shared/domain/orders/order.ts';
import { transferIdOf } from '../../shared/domain/orders/transfer.ts';
import { transferResource } from '../../shared/mappers/transfer.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { eraseHolderNames } from './holder-names.ts';
import { ownsAddress, type Person, type PersonSection } from './section.ts';

/** The tickets that others offered or gave to the person. Those that the person bought are in the orders. */
export const transfersSection: PersonSection = {
  name: 'transfers',
  async collect(person) {
    const { rows, held } = await transfersOf(person);
    return {
      offered: rows.flatMap(({ ticket, offers }) =>
        offers
          .filter(({ emailAddress }) => emailAddress !== null)
          .map((offer) => transferResource(ticket.ticketId, offer, unixSeconds(person.clock))),
      ),
      held: held.map(({ ticketId, eventId, barcode, ticketName }) => ({
        ticket_id: ticketId,
        event_id: String(eventId),
        barcode,
        ticket_name: ticketName,
      })),
    };
  },
  async erase(person) {
    const { table, orgId } = person;
    const { rows, held } = await transfersOf(person);
    let erased = 0;
    for (const { orderId, barcode } of held) {
      // Whoever was given it meanwhile keeps the name.
      const names = await eraseHolderNames(person, orderId, (ticket) => ticket.barcode === barcode);
      erased += names.erased;
    }
    // Last, because an accepted offer leads to the ticket.
    for (const { ticket } of rows) if ((await eraseOffers(table, orgId, ticket.barcode)) === 'erased') erased += 1;
    return erased;
  },
};

interface Transfers {
  /** The rows of barcodes that name the person, or an address that somebody typed for the person, as the recipient. */
  readonly rows: readonly BarcodeRow[];
  /** The tickets that the person accepted and still has. */
  readonly held: readonly TicketRecord[];
  /** Whether a transfer of the API is an offer to the person. */
  readonly isOwnTransfer: (transfer: { readonly transfer_id: string; readonly email: string | null }) => boolean;
}

/**
 * What was offered or given to the person: as a signed-in fan, whatever address was typed, or by an address of the person. People share
 * addresses: what a customer has accepted is that customer's, and otherwise the oldest with the address owns an offer.
 */
export async function transfersOf(person: Person): Promise<Transfers> {
  const { table, orgId, customer, addresses } = person;
  const owned = addresses.filter((address) => ownsAddress(person, address, ''));
  const asFan = await ticketsGivenTo(table, orgId, customer.userId, 'all');
  const accepted = asFan.flatMap(({ transfers }) => transfers?.former.at(-1)?.barcode ?? []);
  const found = [
    ...(await Promise.all(owned.map((address) => rowsOfferedTo(table, orgId, address)))).flat(),
    ...(await readBarcodeRows(table, orgId, accepted)),
  ];
  const own = new Map<string, BarcodeRow>();
  const ofOthers = new Set<string>();
  const held = new Map(asFan.map((ticket) => [ticket.ticketId, ticket]));
  for (const row of found) {
    const ticket = row.isFormer ? await acceptedTicket(person, row) : undefined;
    const toUserId = ticket?.transfers?.toUserId ?? null;
    if (toUserId !== null && toUserId !== customer.userId) {
      for (const offer of row.offers) ofOthers.add(transferIdOf(row.ticket.ticketId, offer));
      continue;
    }
    own.set(row.ticket.barcode, row);
    if (ticket !== undefined) held.set(ticket.ticketId, ticket);
  }
  const ids = [...own.values()].flatMap(({ ticket, offers }) =>
    offers.map((one) => transferIdOf(ticket.ticketId, one)),
  );
  return {
    rows: [...own.values()],
    held: [...held.values()],
    isOwnTransfer: ({ transfer_id: id, email }) =>
      ids.includes(id) || (!ofOthers.has(id) && ownsAddress(person, email, '')),
  };
}

/** The ticket that somebody got for a barcode and still has. */
async function acceptedTicket({ table, orgId }: Person, { ticket: { orderId, barcode } }: BarcodeRow) {
  const placed = await readOrderWithTickets(table, orgId, orderId);
  return placed?.tickets.find(({ transfers }) => transfers?.former.at(-1)?.barcode === barcode);
}

/** The tickets that the person was given, for what names only a ticket. */
export async function ticketsOfOthers(person: Person): Promise<readonly TicketRecord[]> {
  return (await transfersOf(person)).held;
}

/** Whether a ticket of the person's own order belongs to somebody else now. */
export function isGivenAway({ customer }: Person, { transfers }: TicketRecord): boolean {
  return transfers !== undefined && transfers.toUserId !== customer.userId;
}
