import type { MoneyAccount } from '../journal/entry.ts';
import { sumOf } from '../money.ts';
import type { InvoiceAddress } from '../orders/invoice-address.ts';

export const documentKinds = ['receipt', 'credit_note'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** Who sells, as the organisation's settings say it when the document is issued. */
export interface Seller {
  readonly name: string;
  readonly address: string;
  readonly taxId: string | null;
}

/** What a line is about: a price, a membership type, or a fee of the whole order. It decides which line a credit note returns. */
export type DocumentItem =
  | { readonly of: 'price' | 'type'; readonly id: number }
  | { readonly of: 'service_fees' | 'service_tax' | 'transaction_fee' };

/** The amounts of a line, in minor units. Net and tax add up to gross. Those of a credit note are negative, and its quantity too. */
export interface DocumentMoney {
  readonly netMinor: number;
  readonly taxMinor: number;
  readonly grossMinor: number;
}

export interface DocumentLine extends DocumentMoney {
  readonly item: DocumentItem;
  readonly title: string;
  /** The event of tickets. */
  readonly event: DocumentEvent | null;
  readonly quantity: number;
  /** The percentage of tax that the gross amount contains; null if it is unknown, and for fees. */
  readonly taxRate: number | null;
}

export interface DocumentEvent {
  readonly title: string;
  readonly startUnix: number;
  readonly timezone: string;
}

/** How the total is paid or returned, by the accounts of the journal. What is to be paid later is `receivable`. */
export interface PaidBy {
  readonly kind: MoneyAccount;
  readonly amountMinor: number;
}

/** What a document says, before it has a number. Nothing of it changes later. */
export interface DocumentContents {
  readonly kind: DocumentKind;
  readonly orderId: number;
  /** The entry of the journal that issues it. */
  readonly entryId: string;
  /** The receipt that a credit note corrects; also of a receipt that takes a credit note back. Null for every other receipt. */
  readonly refersTo: DocumentReference | null;
  readonly seller: Seller;
  readonly buyer: InvoiceAddress | null;
  readonly lines: readonly DocumentLine[];
  readonly currency: string;
  readonly paidBy: readonly PaidBy[];
}

export interface DocumentReference {
  readonly number: string;
  readonly issuedUnix: number;
}

/** A numbered document. */
export interface DocumentRecord extends DocumentContents, DocumentReference {
  readonly documentId: string;
}

/** What a document adds up to for a tax rate. */
export interface TaxBreakdown extends DocumentMoney {
  readonly taxRate: number | null;
}

/** The sums of a document by tax rate, the highest first. Sums only: nothing is rounded again. */
export function taxBreakdown(lines: readonly DocumentLine[]): readonly TaxBreakdown[] {
  const rates = [...new Set(lines.map(({ taxRate }) => taxRate))].sort((one, other) => (other ?? -1) - (one ?? -1));
  return rates.map((taxRate) => ({ taxRate, ...addedMoney(lines.filter((line) => line.taxRate === taxRate)) }));
}

export function documentTotalMinor(lines: readonly DocumentMoney[]): number {
  return sumOf(lines.map(({ grossMinor }) => grossMinor));
}

function addedMoney(lines: readonly DocumentMoney[]): DocumentMoney {
  return {
    netMinor: sumOf(lines.map(({ netMinor }) => netMinor)),
    taxMinor: sumOf(lines.map(({ taxMinor }) => taxMinor)),
    grossMinor: documentTotalMinor(lines),
  };
}
