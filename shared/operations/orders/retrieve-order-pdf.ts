import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { pdfLayouts } from '../../domain/orders/pdf-layouts.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { File } from '../schemas/file.ts';
import { orderPath } from './order-path.ts';

export const retrieveOrderPdf = defineOperation({
  id: 'retrieve-order-pdf',
  resource: 'orders',
  summary: 'Download the tickets of an order as a PDF',
  description: `Returns all valid tickets of an order, one to a page, as retrieve-ticket-pdf prints one: also those that somebody else has by now, with the barcode that they have.
An order without a valid ticket is 409 \`ticket_not_active\`.`,
  method: 'GET',
  paths: ['/v1/orders/{order_id}/pdf'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    params: orderPath,
    query: v.strictObject({
      layout: v.optional(
        field(
          v.picklist(pdfLayouts),
          "The paper: sheets of A4, or the roll of a counter's printer that is 80 mm wide, cut below each ticket.",
        ),
        'a4',
      ),
    }),
  },
  output: { schema: File, mediaType: 'application/pdf', streamed: true, problems: ['ticket_not_active'] },
  effects: {
    access: [
      ordersAccess.findOrderRef,
      ordersAccess.readOrderAt,
      organisationsAccess.readOrganisation,
      pricesAccess.readTicketRules,
    ],
  },
  // As retrieve-ticket-pdf, and an order has up to 63 pages.
  runtime: { concurrency: 20 },
});
