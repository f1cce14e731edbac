import fc from 'fast-check';
import { describe, it } from 'vitest';
import { imbalanceMinor, type JournalEntry, moneyMinor, type SoldMoney } from '../../shared/domain/journal/entry.ts';
import { sumOf } from '../../shared/domain/money.ts';
import type { OrderWithTickets } from '../../shared/domain/orders/order.ts';
import { composeReissue } from '../../shared/domain/receipts/compose.ts';
import {
  type DocumentContents,
  type DocumentRecord,
  documentTotalMinor,
  taxBreakdown,
} from '../../shared/domain/receipts/document.ts';
import { documentKindsOf, issuedBy, receiptInForce } from '../../shared/domain/receipts/issued.ts';
import { soldLines } from '../../shared/domain/receipts/sold-lines.ts';
import { histories, playHistory } from '../support/random-documents.ts';
import { anAddress, aSeller } from '../support/receipts.ts';
import { amount } from '../support/thorough.ts';

/** Vitest's own comparison would take most of the time of 100,000 orders. */
function need(isTrue: boolean, claim: string): void {
  if (!isTrue) throw new Error(`Not true: ${claim}`);
}

/** Issues the documents of entries as the consumer does: each from the entry and the documents before it. */
function issueAll({ entries, basketLines, placed }: ReturnType<typeof playHistory>, reissueAfter: number) {
  const sale = { seller: aSeller, buyer: null, sold: soldLines(basketLines, { ...placed.order, event: null }) };
  const documents: DocumentRecord[] = [];
  const record = (contents: DocumentContents): void => {
    const nth = documents.length + 1;
    documents.push({ ...contents, documentId: `doc_${nth}`, number: `R${nth}`, issuedUnix: nth });
  };
  for (const [index, entry] of entries.entries()) {
    const issued = issuedBy(entry, { sale, documents });
    const kinds = issued.map(({ kind }) => kind).join();
    need(kinds === kindsOf(entry, documents).join(), 'a sale has a receipt, and what is returned a credit note');
    for (const contents of issued) {
      needSaysEntry(contents, entry);
      record(contents);
    }
    if (index === reissueAfter) reissue(documents, entry, record);
  }
  return documents;
}

function reissue(documents: DocumentRecord[], entry: JournalEntry, record: (contents: DocumentContents) => void) {
  const receipt = receiptInForce(documents);
  if (receipt === undefined) return;
  const before = totalOf(documents);
  for (const contents of composeReissue(entry, receipt, documents, anAddress)) record(contents);
  need(totalOf(documents) === before, 'a receipt that is replaced changes no sum');
}

const totalOf = (documents: readonly DocumentRecord[]) =>
  sumOf(documents.map(({ lines }) => documentTotalMinor(lines)));

/** A refund of an order that was free has no receipt to correct. */
const kindsOf = (entry: JournalEntry, documents: readonly DocumentRecord[]) =>
  entry.kind === 'sale' || receiptInForce(documents) !== undefined ? documentKindsOf(entry) : [];

function needSaysEntry({ lines, paidBy }: DocumentContents, entry: JournalEntry): void {
  const sold: readonly SoldMoney[] = [...entry.prices, ...entry.types];
  const taxMinor = sumOf(sold.map((one) => one.taxMinor + one.serviceTaxMinor));
  need(imbalanceMinor(entry) === 0, 'the entry adds up to 0');
  need(documentTotalMinor(lines) === moneyMinor(entry), 'the total is the money of the entry');
  need(sumOf(lines.map((line) => line.taxMinor)) === taxMinor, 'the tax is that of the entry');
  need(sumOf(paidBy.map(({ amountMinor }) => amountMinor)) === moneyMinor(entry), 'paid_by adds up to the total');
}

function needAddsUp({ lines }: DocumentContents): void {
  const breakdown = taxBreakdown(lines);
  for (const part of [...lines, ...breakdown]) {
    need(part.netMinor + part.taxMinor === part.grossMinor, 'net and tax add up to gross');
  }
  need(
    new Set(breakdown.map(({ taxRate }) => taxRate)).size === breakdown.length,
    'a tax rate is in the breakdown once',
  );
  need(documentTotalMinor(breakdown) === documentTotalMinor(lines), 'the breakdown adds up to the total');
}

/** What all documents of an order leave, by line and tax rate. */
function leftOf(documents: readonly DocumentRecord[]) {
  const byLine = Map.groupBy(
    documents.flatMap(({ lines }) => lines),
    ({ item, title, taxRate }) => JSON.stringify([item, title, taxRate]),
  );
  return [...byLine.values()].map((lines) => ({
    netMinor: sumOf(lines.map(({ netMinor }) => netMinor)),
    taxMinor: sumOf(lines.map(({ taxMinor }) => taxMinor)),
    grossMinor: documentTotalMinor(lines),
  }));
}

function needLeft(documents: readonly DocumentRecord[], { order }: OrderWithTickets): void {
  const { totalMinor, refundedMinor, writtenOffMinor = 0, keptMinor = 0, status } = order;
  const left = leftOf(documents);
  const leftMinor = documents.length === 0 ? 0 : totalMinor - refundedMinor - writtenOffMinor;
  need(documentTotalMinor(left) === leftMinor, 'all documents add up to the revenue of the order');
  const isReturned = status === 'refunded' && keptMinor === 0;
  for (const { netMinor, taxMinor, grossMinor } of left) {
    need(taxMinor >= 0 && grossMinor >= 0, 'no line is credited beyond itself');
    need(!isReturned || (netMinor === 0 && taxMinor === 0), 'nothing is left of a line once everything is returned');
  }
}

describe('Receipts and credit notes of random orders', () => {
  it('agree with the journal to the smallest unit, and credit notes add up to minus the receipt less what was kept', () => {
    fc.assert(
      fc.property(histories, fc.nat(8), (history, reissueAfter) => {
        const played = playHistory(history);
        const documents = issueAll(played, reissueAfter);
        for (const document of documents) needAddsUp(document);
        needLeft(documents, played.end);
      }),
      { numRuns: amount(300, 100_000) },
    );
  }, 900_000);
});
