import * as v from 'valibot';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';

const given = (most: number, what: string) => v.optional(field(v.nullable(text(most)), what), null);

/** Whom a receipt is made out to, for the checkout and for set-invoice-address. */
export const InvoiceAddressInput = v.strictObject({
  company: given(200, 'Name of the company. Either it or `name` is required.'),
  name: given(200, 'Name of the person.'),
  address: given(200, 'Street and number.'),
  address2: given(200, 'The rest of the address.'),
  postcode: given(20, 'Postal code.'),
  city: given(100, 'City.'),
  country: v.optional(
    field(v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'two letters'))), 'ISO 3166-1 code, such as AU.'),
    null,
  ),
  tax_id: given(50, "The buyer's tax id."),
  reference: given(100, "What the buyer's bookkeeping calls the purchase, such as an order number."),
});
export type InvoiceAddressInput = v.InferOutput<typeof InvoiceAddressInput>;
