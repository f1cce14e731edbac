import { ordersOfUser, readOrder } from '../../shared/data/orders/read.ts';
import { emailIdentity } from '../../shared/domain/customers/customer.ts';
import type { ScanRecord } from '../../shared/domain/scans/scan.ts';
import { cardsOf } from './members.ts';
import type { Person } from './section.ts';

/** What a scan tells of whom it is of: it names no customer. */
export type ScannedTraces = Pick<ScanRecord, 'orderId' | 'barcode' | 'emailAddress'>;

/**
 * Whether a scan is of the person: of a ticket of their orders, or of a membership of theirs. A card that was replaced left
 * scans whose barcode is nobody's any more: these are theirs by the email address.
 */
export async function theirScans(person: Person): Promise<(scan: ScannedTraces) => boolean> {
  const { table, orgId, customer } = person;
  const orders = await ordersOfUser(table, orgId, customer.userId, 'all');
  const orderIds = new Set<number | null>(orders.map(({ orderId }) => orderId));
  const cards = await cardsOf(person);
  return ({ orderId, barcode, emailAddress }) => {
    if (orderIds.has(orderId) || cards.own.has(barcode)) return true;
    return orderId === null && hasAddressOf(person, emailAddress) && !cards.others.has(barcode);
  };
}

/**
 * Whether a scan is of a ticket that was bought with the person's address and no customer. It is asked of the scan's own
 * address: the order's may be erased already.
 */
export async function isOfUnlinkedOrder(person: Person, { orderId, emailAddress }: ScannedTraces): Promise<boolean> {
  if (orderId === null || !hasAddressOf(person, emailAddress)) return false;
  return (await readOrder(person.table, person.orgId, orderId))?.userId === null;
}

function hasAddressOf({ customer }: Person, emailAddress: string | null): boolean {
  if (emailAddress === null || customer.emailAddress === null) return false;
  return emailIdentity(emailAddress) === emailIdentity(customer.emailAddress);
}
