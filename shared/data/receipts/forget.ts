import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ReceiptBook } from '../../domain/receipts/book.ts';
import { receiptKey } from '../table/receipt-keys.ts';
import type { Table } from '../table/table.ts';
import { saveBook } from './book.ts';
import { readReceipts } from './read.ts';

const pageSize = 100;

/**
 * Removes the buyer from the next documents that are older than the organisation keeps them. Amounts and numbers stay. A crash repeats a
 * page, which changes nothing more. The book moves on its version: if a worker has written it meanwhile, the next run repeats the page.
 */
export async function forgetBuyers(table: Table, orgId: string, book: ReceiptBook, beforeMs: number): Promise<void> {
  const { rows } = await readReceipts(table, orgId, {
    kind: undefined,
    orderId: undefined,
    after: book.forgotten === '' ? undefined : book.forgotten,
    sinceMs: 0,
    untilMs: beforeMs,
    limit: pageSize,
  });
  const last = rows.at(-1);
  if (last === undefined) return;
  for (const { orderId, documentId, buyer } of rows) {
    if (buyer !== null) await removeBuyer(table, orgId, { orderId, documentId });
  }
  await saveBook(table, orgId, book, { ...book, forgotten: last.documentId });
}

async function removeBuyer(
  table: Table,
  orgId: string,
  { orderId, documentId }: { readonly orderId: number; readonly documentId: string },
): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: receiptKey(orgId, orderId, documentId),
      UpdateExpression: 'REMOVE buyer',
      ConditionExpression: 'attribute_exists(pk)',
    }),
  );
}
