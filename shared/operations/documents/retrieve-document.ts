import * as v from 'valibot';
import { receiptsAccess } from '../../data/receipts/access.ts';
import { defineOperation } from '../operation.ts';
import { Document } from '../schemas/document.ts';
import { field } from '../schemas/fields.ts';

export const retrieveDocument = defineOperation({
  id: 'retrieve-document',
  resource: 'documents',
  summary: 'Retrieve a document',
  description:
    'Returns a receipt or a credit note. It has all that connectors need to make an electronic invoice in the format of a country.',
  method: 'GET',
  paths: ['/v1/documents/{document_id}'],
  auth: { kind: 'metered', scope: 'finance' },
  input: { params: v.strictObject({ document_id: field(v.string(), 'Unique identifier of the document.') }) },
  output: { schema: Document },
  effects: { access: [receiptsAccess.readReceipt] },
});
