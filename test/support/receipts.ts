import type { InvoiceAddress } from '../../shared/domain/orders/invoice-address.ts';
import type { DocumentLine, DocumentMoney, DocumentRecord, Seller } from '../../shared/domain/receipts/document.ts';

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

/** Two tickets of 25.00 with fees. */
export const aReceipt: DocumentRecord = {
  documentId: 'doc_1',
  kind: 'receipt',
  number: 'R2026-00001',
  issuedUnix: Date.UTC(2026, 10, 7, 1) / 1000,
  orderId: 64,
  entryId: 'jrn_1',
  refersTo: null,
  seller: aSeller,
  buyer: null,
  lines: [
    {
      item: { of: 'price', id: 1_025 },
      title: 'East stand · Adult',
      event: {
        title: 'Harbour FC v City',
        startUnix: Date.UTC(2026, 10, 14, 8, 30) / 1000,
        timezone: 'Australia/Sydney',
      },
      quantity: 2,
      taxRate: 10,
      netMinor: 4_545,
      taxMinor: 455,
      grossMinor: 5_000,
    },
    feeOf('service_fees', 'Service fees', { netMinor: 500, taxMinor: 0, grossMinor: 500 }),
    feeOf('service_tax', 'Service tax', { netMinor: 0, taxMinor: 50, grossMinor: 50 }),
  ],
  currency: 'AUD',
  paidBy: [{ kind: 'card', amountMinor: 5_550 }],
};

function feeOf(of: 'service_fees' | 'service_tax', title: string, money: DocumentMoney): DocumentLine {
  return { item: { of }, title, event: null, quantity: 2, taxRate: null, ...money };
}
