import { readReceipts } from '../../../shared/data/receipts/read.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { documentResource } from '../../../shared/mappers/document.ts';
import { listDocuments } from '../../../shared/operations/documents/list-documents.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listDocuments> = async ({ query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const { limit, cursor, ...parameters } = query;
  const { order_id, kind, unix_start, unix_end } = parameters;
  const signedList = { key: await cursorKey(), list: { orgId, operation: listDocuments.id, parameters } };
  const page = await readReceipts(table, orgId, {
    orderId: order_id,
    kind,
    after: verifyListCursor(signedList, cursor),
    limit,
    sinceMs: unix_start === undefined ? 0 : (unix_start + 1) * 1000,
    untilMs: unix_end === undefined ? maxMs : unix_end * 1000,
  });
  return {
    object: 'documents' as const,
    url: `${baseUrl}${listDocuments.paths[0]}`,
    has_more: page.next !== undefined,
    next_cursor: signListCursor(signedList, page.next),
    data: page.rows.map(documentResource),
  };
};

/** The year 10889, the last time that an id can have. */
const maxMs = 2 ** 48 - 1;

export const handler = pipeline(listDocuments, handle);
