import * as v from 'valibot';
import { receiptsAccess } from '../../data/receipts/access.ts';
import { documentKinds } from '../../domain/receipts/document.ts';
import { timeRangeOf } from '../events/time-range.ts';
import { defineOperation } from '../operation.ts';
import { Document } from '../schemas/document.ts';
import { field, Id } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';

export const listDocuments = defineOperation({
  id: 'list-documents',
  resource: 'documents',
  summary: 'List all documents',
  description: `Returns the receipts and credit notes of the organisation, oldest first. Once receipts are switched on for it, each sale with a
total above 0 gets a receipt and each refund and write-off a credit note, within a minute, in the order of the journal. The numbers of a series have no
gaps. Payments of an invoice, instalments and disputes have no document. To continue later, keep the last \`next_cursor\` or begin with the time of your last document.

The list of one kind comes from an index, which has a document shortly after it was issued, usually within milliseconds.`,
  method: 'GET',
  paths: ['/v1/documents'],
  auth: { kind: 'metered', scope: 'finance' },
  input: {
    query: v.strictObject({
      order_id: v.optional(field(Id, 'Only return documents of this order.')),
      kind: v.optional(field(v.picklist(documentKinds), 'Only return receipts, or only credit notes.')),
      ...timeRangeOf('Only return documents'),
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
          'The maximum number of documents per page.',
        ),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page. Requires the same filters.')),
    }),
  },
  output: { schema: cursorListOf('documents', Document), problems: ['cursor_invalid'] },
  effects: { access: [receiptsAccess.readReceipts], secrets: ['cursors'] },
});
