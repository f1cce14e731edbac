import { endRegistration } from '../../shared/data/admin/end-registration.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { devicesWithPasses, type RegisteredDevice } from '../../shared/data/wallets/devices.ts';
import { ticketSerial } from '../../shared/documents/apple-serial.ts';
import type { TicketRecord } from '../../shared/domain/orders/order.ts';
import { transferCount } from '../../shared/domain/orders/ticket-link.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { cardsOf } from './members.ts';
import { findOrders } from './orders.ts';
import type { Person, PersonSection } from './section.ts';
import { isGivenAway, ticketsOfOthers } from './transfers.ts';

/** A phone that is off for longer keeps its copy with the name. */
const toldSeconds = 7 * 86_400;

/**
 * The person's Apple passes that a phone is registered for. The row has the phone's push token, and lives for a week after the erasure:
 * only a registered phone can be told that its pass has no name any more, and ask which pass it is.
 */
export const walletPassesSection: PersonSection = {
  name: 'wallet_passes',
  async collect(person) {
    return (await passesOf(person)).map(({ sk }) => ({ serial_number: sk }));
  },
  async erase(person) {
    const endUnix = unixSeconds(person.clock) + toldSeconds;
    let ending = 0;
    for (const pass of await passesOf(person))
      if ((await endRegistration(person.table, pass, endUnix)) === 'ending') ending += 1;
    return ending;
  },
};

async function passesOf(person: Person): Promise<readonly RegisteredDevice[]> {
  const { table, orgId } = person;
  const found: RegisteredDevice[] = [];
  const collect = async (eventId: number | null, id: number, isOwn: (serial: string) => boolean = () => true) => {
    for await (const page of devicesWithPasses(table, { orgId, eventId, fromId: id, toId: id }))
      found.push(...page.filter(({ sk }) => isOwn(sk)));
  };
  for (const { orderId } of await findOrders(person)) {
    const placed = await readOrderWithTickets(table, orgId, orderId);
    for (const ticket of placed?.tickets ?? []) {
      const isOwn = isGivenAway(person, ticket) ? not(isHeldAs(orgId, ticket)) : undefined;
      await collect(ticket.eventId, ticket.ticketId, isOwn);
    }
  }
  for (const ticket of await ticketsOfOthers(person))
    await collect(ticket.eventId, ticket.ticketId, isHeldAs(orgId, ticket));
  for (const memberId of (await cardsOf(person)).memberIds) await collect(null, Number(memberId));
  return found;
}

/** Each holder of a ticket has a pass of another serial number. This is the one of who holds it now. */
const isHeldAs = (orgId: string, ticket: TicketRecord) => (serial: string) =>
  serial === ticketSerial({ orgId, ticketId: ticket.ticketId, transfers: transferCount(ticket) });

const not = (isSo: (serial: string) => boolean) => (serial: string) => !isSo(serial);
