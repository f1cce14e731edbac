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

/**
 * The buyer of the first receipt, and the one of a receipt that is issued by an entry of that time or later. Both are unknown after the
 * erasure of the buyer.
 */
export function buyersOf(
  { invoiceAddress: known }: { readonly invoiceAddress?: OrderAddress | undefined },
  atUnix: number,
): {
  readonly atSale: InvoiceAddress | null;
  readonly later: InvoiceAddress | null;
} {
  if (known === undefined) return { atSale: null, later: null };
  const { givenUnix, ...address } = known;
  if (givenUnix === undefined) return { atSale: address, later: null };
  return { atSale: null, later: givenUnix <= atUnix ? address : null };
}
