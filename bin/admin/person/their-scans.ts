import { ordersOfUser } from '../../../shared/data/orders-read.ts';
import { emailIdentity } from '../../../shared/domain/customer-record.ts';
import type { ScanRecord } from '../../../shared/domain/scan-record.ts';
import { cardsOf } from './members-part.ts';
import type { Person } from './part.ts';

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
  const email = customer.emailAddress === null ? undefined : emailIdentity(customer.emailAddress);
  return ({ orderId, barcode, emailAddress }) => {
    if (orderIds.has(orderId) || cards.own.has(barcode)) return true;
    const hasTheirAddress = emailAddress !== null && emailIdentity(emailAddress) === email;
    return orderId === null && hasTheirAddress && !cards.others.has(barcode);
  };
}
