import * as v from 'valibot';
import { field, Id, resource } from './fields.ts';

const shown = (what: string) => field(v.nullable(v.string()), `${what}; null if nobody said.`);

/** Whom a receipt is made out to: one resource of orders and of documents. */
export const InvoiceAddress = resource('InvoiceAddress', 'Whom the receipt of an order is made out to.', {
  company: shown('Name of the company'),
  name: shown('Name of the person'),
  address: shown('Street and number'),
  address2: shown('The rest of the address'),
  postcode: shown('Postal code'),
  city: shown('City'),
  country: shown('ISO 3166-1 code of the country, such as AU'),
  tax_id: shown("The buyer's tax id"),
  reference: shown("What the buyer's bookkeeping calls the purchase"),
});
export type InvoiceAddress = v.InferOutput<typeof InvoiceAddress>;

export const OrderInvoiceAddress = resource('OrderInvoiceAddress', 'An order, and whom its receipt is made out to.', {
  order_id: field(Id, 'Numeric identifier of the order.'),
  invoice_address: InvoiceAddress,
});
