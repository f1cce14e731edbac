/** Whom a receipt is made out to. Everything but a name of a company or a person may be unknown. */
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
