import type { JournalEntry } from '../journal/entry.ts';
import { composeCorrection, composeReceipt, type SaleFacts } from './compose.ts';
import type { DocumentContents, DocumentKind, DocumentRecord } from './document.ts';
import { entryTotalMinor } from './entry-lines.ts';

/**
 * The documents that an entry of the journal issues, in the order of their numbers. What is sold has a receipt, and what is returned or
 * written off a credit note; a refund that failed later takes its credit note back by a receipt. Money that only moves between accounts
 * issues nothing: instalments, payments, disputes.
 */
export function documentKindsOf(entry: JournalEntry): readonly DocumentKind[] {
  const totalMinor = entryTotalMinor(entry);
  if (totalMinor === 0) return [];
  return [totalMinor > 0 ? 'receipt' : 'credit_note'];
}

/** What the consumer has read for an entry. */
export interface IssueFacts {
  /** For the entry of a sale only. */
  readonly sale?: SaleFacts | undefined;
  /** Every document of the order that the entries before this one have issued, the oldest first. */
  readonly documents: readonly DocumentRecord[];
}

/** Composes the documents of `documentKindsOf`. None if the sale has no receipt, because receipts were switched on after it. */
export function issuedBy(entry: JournalEntry, { sale, documents }: IssueFacts): readonly DocumentContents[] {
  if (documentKindsOf(entry).length === 0) return [];
  if (entry.kind === 'sale') {
    if (sale === undefined) throw new Error(`What order ${entry.orderId} has sold is missing.`);
    return [composeReceipt(entry, sale)];
  }
  const receipt = receiptInForce(documents);
  return receipt === undefined ? [] : [composeCorrection(entry, receipt, documents)];
}

/** The receipt that later documents of an order refer to: the newest one that stands by itself. */
export function receiptInForce(documents: readonly DocumentRecord[]): DocumentRecord | undefined {
  return documents.findLast(({ kind, refersTo }) => kind === 'receipt' && refersTo === null);
}
