import { idText } from '../../domain/ids.ts';
import { type ItemKey, partition } from './keys.ts';

/** The receipt book of an organisation. It is the only item in its partition. */
export const receiptBookKey = (orgId: string): ItemKey => ({ pk: partition('RCB', orgId), sk: '#' });
/** An index partition: the books of all organisations that issue receipts. */
export const receiptBooksPartition = (): string => partition('RCB', 'all');
/** The receipts and credit notes of an order: the next one of the order depends on all of them, so they are read consistently. */
export const orderReceiptsPartition = (orgId: string, orderId: number): string =>
  partition('RCP', orgId, idText(orderId));
export const receiptKey = (orgId: string, orderId: number, documentId: string): ItemKey => ({
  pk: orderReceiptsPartition(orgId, orderId),
  sk: documentId,
});
/** All documents of the organisation, and those of one kind, in the order in which they were issued, in indexes. */
export const receiptsPartition = (orgId: string): string => partition('RCP', orgId, 'all');
export const receiptKindPartition = (orgId: string, kind: string): string => partition('RCP', orgId, kind);
