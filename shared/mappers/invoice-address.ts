import type { InvoiceAddress as AddressRecord } from '../domain/orders/invoice-address.ts';
import type { InvoiceAddress } from '../operations/schemas/invoice-address.ts';

export function invoiceAddress(record: AddressRecord): InvoiceAddress {
  return {
    company: record.company,
    name: record.name,
    address: record.address,
    address2: record.address2,
    postcode: record.postcode,
    city: record.city,
    country: record.country,
    tax_id: record.taxId,
    reference: record.reference,
  };
}
