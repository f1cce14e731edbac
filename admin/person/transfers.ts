import { eraseOffers } from '../../shared/data/admin/erase-offers.ts';
import { changeHolder } from '../../shared/data/orders/change-holder.ts';
import { readOrderRef, readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { rowsOfferedTo, ticketsGivenTo } from '../../shared/data/transfers/read.ts';
import type { BarcodeRow } from '../../shared/data/transfers/row.ts';
import type { TicketRecord } from '../../shared/domain/orders/order.ts';
import { transferResource } from '../../shared/mappers/transfer.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { hasEmailOf, type Person, type PersonSection } from './section.ts';

/** The tickets that others offered or gave to the person. Those that the person bought are in the orders. */
export const transfersSection: PersonSection = {
  name: 'transfers',
  async collect(person) {
    const rows = await offeredRows(person);
    const held = await givenTickets(person, rows);
    return {
      offered: rows.flatMap(({ ticket, offers }) =>
        offers
          .filter(({ emailAddress }) => hasEmailOf(person, emailAddress))
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
    const { table, orgId, clock } = person;
    const rows = await offeredRows(person);
    let erased = 0;
    for (const { orderId, ticketId, ticketName, barcode } of await givenTickets(person, rows)) {
      const ref = ticketName === null ? undefined : await readOrderRef(table, orgId, orderId);
      if (ref === undefined) continue;
      // Whoever was given it meanwhile keeps the name.
      const nameOf = (ticket: TicketRecord) => (ticket.barcode === barcode ? null : ticket.ticketName);
      await changeHolder(table, orgId, { ref, ticketId, atUnix: unixSeconds(clock), nameOf });
      erased += 1;
    }
    // Last, because an accepted offer leads to the ticket.
    for (const { ticket } of rows) if ((await eraseOffers(table, orgId, ticket.barcode)) === 'erased') erased += 1;
    return erased;
  },
};

async function offeredRows({ table, orgId, customer }: Person): Promise<readonly BarcodeRow[]> {
  return customer.emailAddress === null ? [] : rowsOfferedTo(table, orgId, customer.emailAddress);
}

/** The tickets that the person accepted and still has: as a signed-in fan, or by an offer to the person's address. */
async function givenTickets(
  { table, orgId, customer }: Person,
  rows: readonly BarcodeRow[],
): Promise<readonly TicketRecord[]> {
  const asFan = await ticketsGivenTo(table, orgId, customer.userId, 'all');
  const byOffer = await Promise.all(
    rows
      .filter(({ isFormer }) => isFormer)
      .map(async ({ ticket: { orderId, barcode } }) => {
        const placed = await readOrderWithTickets(table, orgId, orderId);
        return placed?.tickets.find(
          ({ transfers }) => transfers?.toUserId === null && transfers.former.at(-1)?.barcode === barcode,
        );
      }),
  );
  return [...asFan, ...byOffer.filter((ticket) => ticket !== undefined)];
}

/** The tickets that the person was given, for what names only a ticket. */
export async function ticketsOfOthers(person: Person): Promise<readonly TicketRecord[]> {
  return givenTickets(person, await offeredRows(person));
}

/** Whether a ticket of the person's own order belongs to somebody else now. */
export function isGivenAway({ customer }: Person, { transfers }: TicketRecord): boolean {
  return transfers !== undefined && transfers.toUserId !== customer.userId;
}
