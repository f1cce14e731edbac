import type { OrderRefund } from './resources.ts';

/**
 * Whether the credit note of a refund will be there in a moment: an order with a receipt gets one. Each receipt after the first one takes
 * a credit note back, or stands for what another one took back.
 */
export function isCreditNoteDue(
  documents: readonly { readonly kind: 'receipt' | 'credit_note' }[],
  refunds: readonly Pick<OrderRefund, 'status'>[],
): boolean {
  const receipts = documents.filter(({ kind }) => kind === 'receipt').length;
  const creditNotes = documents.length - receipts;
  return receipts > 0 && creditNotes - (receipts - 1) < refunds.filter(({ status }) => status === 'succeeded').length;
}
