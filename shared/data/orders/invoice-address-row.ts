import * as v from 'valibot';
import type { OrderAddress } from '../../domain/orders/invoice-address.ts';
import { nullable, row, withoutNulls } from '../table/row.ts';

const text = nullable(v.string());

const addressEntries = {
  company: text,
  name: text,
  address: text,
  address2: text,
  postcode: text,
  city: text,
  country: text,
  taxId: text,
  reference: text,
};

/** Whom a receipt is made out to. Baskets that are being checked out store it too. */
export const StoredInvoiceAddress = row(addressEntries);

/** `givenUnix`: when it was given after the sale. */
export const StoredOrderAddress = row({ ...addressEntries, givenUnix: v.optional(v.number()) });

/** The attribute of an order's row. */
export function addressAttributes({ invoiceAddress }: { readonly invoiceAddress?: OrderAddress | undefined }): object {
  return invoiceAddress === undefined ? {} : { inv: withoutNulls(invoiceAddress) };
}
