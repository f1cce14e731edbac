import type { JournalEntry } from '../journal/entry.ts';
import type { InvoiceAddress } from '../orders/invoice-address.ts';
import { composeCorrection, composeReceipt, composeReissue, type SaleFacts } from './compose.ts';
import type { DocumentContents, DocumentKind, DocumentRecord } from './document.ts';
import { entryTotalMinor } from './entry-lines.ts';

/**
 * The documents that an entry of the journal issues, in the order of their numbers. What is sold has a receipt, and what is returned or
 * written off a credit note; a refund that failed later takes its credit note back by a receipt. Money that only moves between accounts
 * issues nothing: instalments, payments, disputes. An invoice address that was given after the sale replaces the receipt, unless nothing is
 * left of it: then the receipt has it that a failed refund issues.
 */
export function documentKindsOf(entry: JournalEntry): readonly DocumentKind[] {
  if (entry.kind === 'invoice_address') return ['credit_note', 'receipt'];
  const totalMinor = entryTotalMinor(entry);
  if (totalMinor === 0) return [];
  return [totalMinor > 0 ? 'receipt' : 'credit_note'];
}

/** What the consumer has read for an entry. */
export interface IssueFacts {
  /** For the entry of a sale only. */
  readonly sale?: SaleFacts | undefined;
  /** The address that was given after the sale, and by the time of the entry; null after the erasure of the buyer. */
  readonly laterBuyer?: InvoiceAddress | null | undefined;
  /** Every document of the order that the entries before this one have issued, the oldest first. */
  readonly documents: readonly DocumentRecord[];
}

/** Composes the documents of `documentKindsOf`. None if the sale has no receipt, because receipts were switched on after it. */
export function issuedBy(
  entry: JournalEntry,
  { sale, laterBuyer, documents }: IssueFacts,
): readonly DocumentContents[] {
  if (documentKindsOf(entry).length === 0) return [];
  if (entry.kind === 'sale') {
    if (sale === undefined) throw new Error(`What order ${entry.orderId} has sold is missing.`);
    return [composeReceipt(entry, sale)];
  }
  const receipt = receiptInForce(documents);
  if (receipt === undefined) return [];
  // Somebody is on the receipt already.
  const buyer = receipt.buyer === null ? (laterBuyer ?? undefined) : undefined;
  if (entry.kind !== 'invoice_address') return [composeCorrection(entry, receipt, documents, buyer)];
  return buyer === undefined ? [] : composeReissue(entry, receipt, documents, buyer);
}

/** The receipt that later documents of an order refer to: the newest one that stands by itself. */
export function receiptInForce(documents: readonly DocumentRecord[]): DocumentRecord | undefined {
  return documents.findLast(({ kind, refersTo }) => kind === 'receipt' && refersTo === null);
}
