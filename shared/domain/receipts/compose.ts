import { type JournalEntry, type MoneyAccount, moneyAccounts, negative } from '../journal/entry.ts';
import { sumOf } from '../money.ts';
import type { InvoiceAddress } from '../orders/invoice-address.ts';
import {
  type DocumentContents,
  type DocumentLine,
  type DocumentRecord,
  documentTotalMinor,
  type Seller,
} from './document.ts';
import { entryLines, entryTotalMinor, paidByOf } from './entry-lines.ts';
import { isSameLine, type SoldLine } from './sold-lines.ts';

/** What a sale is documented with. */
export interface SaleFacts {
  readonly seller: Seller;
  /** The address that was given at the checkout; null without one. */
  readonly buyer: InvoiceAddress | null;
  readonly sold: readonly SoldLine[];
}

export function composeReceipt(entry: JournalEntry, { seller, buyer, sold }: SaleFacts): DocumentContents {
  return {
    ...headOf(entry),
    kind: 'receipt',
    refersTo: null,
    seller,
    buyer,
    lines: entryLines(entry, sold),
    paidBy: paidByOf(entry.money),
  };
}

/**
 * A credit note of what an entry returns, or the receipt that takes one back because its refund failed. Seller, buyer and tax rates are
 * those of the receipt, whatever the settings and the order say now. `documents` are all of the order. A buyer whose address was given when
 * nothing was left is on the receipt of what is revenue again, which stands by itself.
 */
export function composeCorrection(
  entry: JournalEntry,
  receipt: DocumentRecord,
  documents: readonly DocumentRecord[],
  buyer?: InvoiceAddress,
): DocumentContents {
  const isReturn = entryTotalMinor(entry) < 0;
  const left = linesLeft(documents);
  const sold = isReturn ? left : left.map((line) => lessBy(soldAtFirst(line, documents), line));
  return {
    ...headOf(entry),
    ...copiedOf(receipt),
    ...(!isReturn && buyer !== undefined && { buyer, refersTo: null }),
    kind: isReturn ? 'credit_note' : 'receipt',
    lines: entryLines(entry, sold),
    paidBy: paidByOf(entry.money),
  };
}

/**
 * A credit note for all that is left of a receipt, and a receipt of the same with the buyer. Neither if nothing is left: what was returned
 * has its credit notes already.
 */
export function composeReissue(
  entry: JournalEntry,
  receipt: DocumentRecord,
  documents: readonly DocumentRecord[],
  buyer: InvoiceAddress,
): readonly DocumentContents[] {
  const lines = linesLeft(documents).filter((line) => line.quantity !== 0 || line.grossMinor !== 0);
  if (documentTotalMinor(lines) <= 0) return [];
  const paid = documents.flatMap(({ paidBy }) => paidBy);
  const paidOf = (kind: MoneyAccount) =>
    sumOf(paid.filter((part) => part.kind === kind).map(({ amountMinor }) => amountMinor));
  const paidBy = paidByOf(Object.fromEntries(moneyAccounts.map((kind) => [kind, paidOf(kind)])));
  const copied = { ...headOf(entry), ...copiedOf(receipt) };
  return [
    {
      ...copied,
      kind: 'credit_note',
      lines: lines.map((line) => lessBy(nothingOf(line), line)),
      paidBy: paidBy.map(({ kind, amountMinor }) => ({ kind, amountMinor: negative(amountMinor) })),
    },
    { ...copied, kind: 'receipt', refersTo: null, buyer, lines, paidBy },
  ];
}

const headOf = ({ entryId, orderId, currency }: JournalEntry) => ({ entryId, orderId, currency });

function copiedOf({ seller, buyer, number, issuedUnix }: DocumentRecord) {
  return { seller, buyer, refersTo: { number, issuedUnix } };
}

/**
 * What all documents of an order leave of each of their lines. Not only of the lines of the receipt in force: what was returned before it
 * was issued is in none of them, and is revenue again if that refund fails.
 */
export function linesLeft(documents: readonly DocumentRecord[]): readonly DocumentLine[] {
  const said = documents.flatMap(({ lines }) => lines);
  return said
    .filter((line, index) => said.findIndex((other) => isSameLine(other, line)) === index)
    .map((line) =>
      said.filter((other) => isSameLine(other, line)).reduce((left, other) => plus(left, other, 1), nothingOf(line)),
    );
}

/** A line as the first receipt of the order has it: a receipt that replaced it has only what was left by then. */
function soldAtFirst(line: DocumentLine, [first]: readonly DocumentRecord[]): DocumentLine {
  return first?.lines.find((other) => isSameLine(other, line)) ?? nothingOf(line);
}

const nothingOf = (line: DocumentLine): DocumentLine => ({
  ...line,
  quantity: 0,
  netMinor: 0,
  taxMinor: 0,
  grossMinor: 0,
});

const lessBy = (line: DocumentLine, other: DocumentLine): DocumentLine => plus(line, other, -1);

function plus(line: DocumentLine, other: DocumentLine, sign: 1 | -1): DocumentLine {
  return {
    ...line,
    quantity: line.quantity + sign * other.quantity,
    netMinor: line.netMinor + sign * other.netMinor,
    taxMinor: line.taxMinor + sign * other.taxMinor,
    grossMinor: line.grossMinor + sign * other.grossMinor,
  };
}
