import type { DocumentKind, DocumentRecord } from '../../domain/receipts/document.ts';
import { readSharded, type ShardedPage, type TimeWindow } from '../lists/sharded-list.ts';
import { getItem } from '../table/get-item.ts';
import { queryAll } from '../table/query.ts';
import { orderReceiptsPartition, receiptKey, receiptKindPartition, receiptsPartition } from '../table/receipt-keys.ts';
import type { Table } from '../table/table.ts';
import { documentIdFloor, orderOfDocument, parseReceipt } from './row.ts';

export async function readReceipt(
  table: Table,
  orgId: string,
  documentId: string,
): Promise<DocumentRecord | undefined> {
  const orderId = orderOfDocument(documentId);
  if (orderId === undefined) return undefined;
  const item = await getItem(table, receiptKey(orgId, orderId, documentId), { consistent: true });
  return item === undefined ? undefined : parseReceipt(item);
}

/** Reads all documents of an order, the oldest first: its receipt, and a credit note for at most every ticket. */
export async function receiptsOfOrder(
  table: Table,
  orgId: string,
  orderId: number,
): Promise<readonly DocumentRecord[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': orderReceiptsPartition(orgId, orderId) },
    ConsistentRead: true,
  });
  return items.map(parseReceipt);
}

export interface ReceiptsQuery extends TimeWindow {
  readonly kind: DocumentKind | undefined;
  readonly orderId: number | undefined;
  readonly limit: number;
}

/** Reads documents of the organisation, of one kind or of one order, oldest first. */
export async function readReceipts(
  table: Table,
  orgId: string,
  { kind, orderId, limit, ...window }: ReceiptsQuery,
): Promise<ShardedPage<DocumentRecord>> {
  if (orderId !== undefined) {
    const documents = await receiptsOfOrder(table, orgId, orderId);
    const found = documents.filter(
      (document) => isIn(window, document) && (kind === undefined || document.kind === kind),
    );
    return { rows: found.slice(0, limit), next: found.length > limit ? found[limit - 1]?.documentId : undefined };
  }
  const list =
    kind === undefined
      ? { partitions: [receiptsPartition(orgId)], index: 'by1' as const }
      : { partitions: [receiptKindPartition(orgId, kind)], index: 'by2' as const };
  const idOf = ({ documentId }: DocumentRecord) => documentId;
  return readSharded(table, { ...list, parse: parseReceipt, idOf, floor: documentIdFloor }, window, limit);
}

function isIn({ after = '', sinceMs, untilMs }: TimeWindow, { documentId, issuedUnix }: DocumentRecord): boolean {
  return documentId > after && issuedUnix * 1000 >= sinceMs && issuedUnix * 1000 < untilMs;
}
