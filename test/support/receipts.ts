import type { InvoiceAddress } from '../../shared/domain/orders/invoice-address.ts';
import type { Seller } from '../../shared/domain/receipts/document.ts';

export const aSeller: Seller = {
  name: 'Harbour FC',
  address: '1 Quay Street\nSydney NSW 2000',
  taxId: 'AU 51 824 753 556',
};

export const anAddress: InvoiceAddress = {
  company: 'Example Pty Ltd',
  name: null,
  address: '2 Market Street',
  address2: null,
  postcode: '3000',
  city: 'Melbourne',
  country: 'AU',
  taxId: 'AU 11 222 333 444',
  reference: 'PO 4711',
};
