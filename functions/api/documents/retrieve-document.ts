import { readReceipt } from '../../../shared/data/receipts/read.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { documentResource } from '../../../shared/mappers/document.ts';
import { retrieveDocument } from '../../../shared/operations/documents/retrieve-document.ts';

export const handle: Handle<typeof retrieveDocument> = async ({ params }, { caller, table }) => {
  const document = await readReceipt(table, caller.orgId, params.document_id);
  if (document === undefined) throw notFound('document');
  return documentResource(document);
};

export const handler = pipeline(retrieveDocument, handle);
