import type { InvoiceAddress } from '../../../domain/orders/invoice-address.ts';
import { countryName } from '../../../domain/organisations/country-names.ts';
import type { InvoiceAddressInput } from '../../../operations/orders/invoice-address-fields.ts';
import { problem } from '../../problem.ts';

/** The address of a request. A text of blanks says nothing. `prefix` names the parameter that has it. */
export function invoiceAddressOf(body: InvoiceAddressInput, prefix = ''): InvoiceAddress {
  const said = (text: string | null): string | null => text?.trim() || null;
  const company = said(body.company);
  const name = said(body.name);
  if (company === null && name === null) {
    const message = `Either ${prefix}company or ${prefix}name is required: somebody must be on the receipt.`;
    throw problem('parameter_missing', message, { param: `${prefix}company` });
  }
  if (body.country !== null && countryName(body.country) === undefined) {
    const message = `The parameter ${prefix}country is no country of ISO 3166-1.`;
    throw problem('parameter_invalid', message, { param: `${prefix}country` });
  }
  return {
    company,
    name,
    address: said(body.address),
    address2: said(body.address2),
    postcode: said(body.postcode),
    city: said(body.city),
    country: body.country,
    taxId: said(body.tax_id),
    reference: said(body.reference),
  };
}

interface CheckoutBody {
  readonly invoice_address: InvoiceAddressInput | null;
  readonly customer?: object | undefined;
}

/** The address of a checkout, as a part of its buyer; nothing without one. */
export function addressOfBuyer({ invoice_address, customer }: CheckoutBody): { invoiceAddress?: InvoiceAddress } {
  if (invoice_address === null) return {};
  if (customer === undefined) {
    const message =
      'The parameter invoice_address needs a customer. Without one, use set-invoice-address after the sale.';
    throw problem('customer_required', message, { param: 'customer' });
  }
  return { invoiceAddress: invoiceAddressOf(invoice_address, 'invoice_address.') };
}
