import { changedAt, type OrderRecord } from './order.ts';

/** Whom a receipt is made out to: a company or a person. */
export interface InvoiceAddress {
  readonly company: string | null;
  readonly name: string | null;
  readonly address: string | null;
  readonly address2: string | null;
  readonly postcode: string | null;
  readonly city: string | null;
  /** Two letters of ISO 3166. */
  readonly country: string | null;
  readonly taxId: string | null;
  /** What the buyer's bookkeeping calls the purchase. */
  readonly reference: string | null;
}

/** The address in an order. */
export interface OrderAddress extends InvoiceAddress {
  /** When it was given after the sale. Absent if the checkout had it. */
  readonly givenUnix?: number | undefined;
}

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

/** The buyer of the first receipt, and the one of the receipt that replaces it. Both are unknown after the erasure of the buyer. */
export function buyersOf({ invoiceAddress: known }: Pick<OrderRecord, 'invoiceAddress'>): {
  readonly atSale: InvoiceAddress | null;
  readonly later: InvoiceAddress | null;
} {
  if (known === undefined) return { atSale: null, later: null };
  const { givenUnix, ...address } = known;
  return givenUnix === undefined ? { atSale: address, later: null } : { atSale: null, later: address };
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
