import type { ReceiptBook } from '../../domain/receipts/book.ts';
import type { DocumentRecord } from '../../domain/receipts/document.ts';
import { Fault } from '../../platform/fault.ts';
import type { Table } from '../table/table.ts';
import { maxTransactionItems, type TransactItem, transact } from '../table/transact.ts';
import { bookPut } from './book.ts';
import { receiptItem } from './row.ts';

/** A document, its event in the feed and the hint to publish it; and the book once. */
const itemsPerDocument = 3;
export const maxDocuments = Math.floor((maxTransactionItems - 1) / itemsPerDocument);

/**
 * Writes documents with the book that has given their numbers, in one transaction on the version of the book: each number and each
 * document exactly once. Returns the written book; undefined if somebody else has written it, and then nothing is written.
 */
export async function issueDocuments(
  table: Table,
  orgId: string,
  {
    before,
    after,
    documents,
  }: { readonly before: ReceiptBook; readonly after: ReceiptBook; readonly documents: readonly DocumentRecord[] },
  announce: (document: DocumentRecord) => readonly TransactItem[],
): Promise<ReceiptBook | undefined> {
  const { book, item } = bookPut(table, orgId, before, after);
  const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  const refused = await transact(table, () => [
    { ...item, label: 'book' },
    ...documents.flatMap((document): readonly TransactItem[] => [
      { Put: { TableName: table.name, Item: receiptItem(orgId, document), ...isNew }, label: document.documentId },
      ...announce(document),
    ]),
  ]);
  if (refused.length === 0) return book;
  if (refused.some(({ label }) => label === 'book')) return undefined;
  // The place of the book in the journal is before a document that exists: it was edited, or restored alone.
  throw new Fault(`The document ${refused[0]?.label} of ${orgId} exists already.`);
}
