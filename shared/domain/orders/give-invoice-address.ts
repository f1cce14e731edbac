import type { InvoiceAddress } from './invoice-address.ts';
import { changedAt, type OrderRecord } from './order.ts';

/** How long an address can be given after the sale. */
const openSeconds = 60 * 86_400;

export type GivenAddress =
  | { readonly outcome: 'given' | 'same'; readonly order: OrderRecord }
  | { readonly outcome: 'refused'; readonly reason: 'set_already' | 'order_ended' | 'too_late' };

/** Gives an order its address, once. The same address again changes nothing, whenever it comes. */
export function giveInvoiceAddress(order: OrderRecord, address: InvoiceAddress, nowUnix: number): GivenAddress {
  const { invoiceAddress: known, status, placedUnix } = order;
  if (known !== undefined) {
    const isSame = fieldsOf(known).join('\n') === fieldsOf(address).join('\n');
    return isSame ? { outcome: 'same', order } : { outcome: 'refused', reason: 'set_already' };
  }
  if (status === 'cancelled' || status === 'refunded') return { outcome: 'refused', reason: 'order_ended' };
  if (nowUnix >= placedUnix + openSeconds) return { outcome: 'refused', reason: 'too_late' };
  const invoiceAddress = { ...address, givenUnix: nowUnix };
  return { outcome: 'given', order: changedAt({ ...order, invoiceAddress }, nowUnix) };
}

const fieldsOf = (given: InvoiceAddress) => [
  given.company,
  given.name,
  given.address,
  given.address2,
  given.postcode,
  given.city,
  given.country,
  given.taxId,
  given.reference,
];
