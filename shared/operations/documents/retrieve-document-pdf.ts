import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { receiptsAccess } from '../../data/receipts/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { File } from '../schemas/file.ts';

export const retrieveDocumentPdf = defineOperation({
  id: 'retrieve-document-pdf',
  resource: 'documents',
  summary: 'Download a document as a PDF',
  description: `Returns a receipt or a credit note on A4: seller, buyer, lines, the tax by rate, the total and how it was paid, number and date, and for a credit note those of its receipt.
The buyer's own page downloads it with the token of the fan who bought the order.`,
  method: 'GET',
  paths: ['/v1/documents/{document_id}/pdf'],
  auth: {
    kind: 'metered',
    scope: 'finance',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'a document of an order of the signed-in fan' },
  },
  input: { params: v.strictObject({ document_id: field(v.string(), 'Unique identifier of the document.') }) },
  output: { schema: File, mediaType: 'application/pdf', streamed: true },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      receiptsAccess.readReceipt,
      ordersAccess.findOrderRef,
      ordersAccess.readOrderAt,
      organisationsAccess.readOrganisation,
    ],
  },
  // As retrieve-ticket-pdf.
  runtime: { concurrency: 20 },
});
