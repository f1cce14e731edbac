import { ordersOfUser, readOrder, readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import type { TicketRecord } from '../../shared/domain/orders/order.ts';
import { normalizeBarcode, type ScanRecord } from '../../shared/domain/scans/scan.ts';
import { type Cards, cardsOf } from './members.ts';
import { hasEmailOf, ownsAddress, type Person } from './section.ts';
import { isGivenAway, ticketsOfOthers } from './transfers.ts';

/** The fields by which the owner of a scan is found: a scan contains no customer. Scans in events, and those of earlier releases, name no member. */
type ScanOwner = Pick<ScanRecord, 'orderId' | 'barcode' | 'emailAddress' | 'ticketName'> &
  Partial<Pick<ScanRecord, 'memberId' | 'userId'>>;

/**
 * Returns a function that says whether a scan is of a ticket or a membership card of the person. A scan that
 * does not name the member and is of a card that nobody has any more is found by its email address, and by its name if people share the address;
 * or by the person's name, if the card is one that a membership of the person had.
 */
export async function scanMatcher(person: Person, known?: Cards): Promise<(scan: ScanOwner) => boolean> {
  const { table, orgId, customer } = person;
  const orders = await ordersOfUser(table, orgId, customer.userId, 'all');
  const orderIds = new Set<number | null>(orders.map(({ orderId }) => orderId));
  const cards = known ?? (await cardsOf(person));
  const given = barcodesOf(await ticketsOfOthers(person));
  const placed = await Promise.all(orders.map(({ orderId }) => readOrderWithTickets(table, orgId, orderId)));
  const givenAway = barcodesOf(
    placed.flatMap((one) => one?.tickets ?? []).filter((ticket) => isGivenAway(person, ticket)),
  );
  return ({ orderId, barcode, emailAddress, ticketName, memberId = null, userId = null }) => {
    if (userId !== null) return userId === customer.userId;
    if (memberId !== null) return cards.memberIds.has(String(memberId));
    const code = normalizeBarcode(barcode);
    if (givenAway.has(code)) return false;
    if (orderIds.has(orderId) || cards.own.has(code) || given.has(code)) return true;
    if (orderId !== null || cards.others.has(code)) return false;
    const names = nameIdentity({ firstName: ticketName, lastName: null });
    return (cards.former.has(code) && names === nameIdentity(customer)) || ownsAddress(person, emailAddress, names);
  };
}

const barcodesOf = (tickets: readonly TicketRecord[]): ReadonlySet<string> =>
  new Set(tickets.map(({ barcode }) => normalizeBarcode(barcode)));

/**
 * Whether a scan is of a ticket of an order without a customer, but with the person's email address. The address of the scan
 * decides, because that of the order may be erased already.
 */
export async function isOfUnlinkedOrder(person: Person, { orderId, emailAddress }: ScanOwner): Promise<boolean> {
  if (orderId === null || !hasEmailOf(person, emailAddress)) return false;
  const order = await readOrder(person.table, person.orgId, orderId);
  if (order?.userId !== null) return false;
  return order.emailAddress === null || ownsAddress(person, order.emailAddress, nameIdentity(order));
}
