import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../shared/domain/journal/entry.ts';
import type { InvoiceAddress } from '../../shared/domain/orders/invoice-address.ts';
import { contradictionsOf } from '../../shared/domain/receipts/contradictions.ts';
import { type DocumentRecord, documentTotalMinor, taxBreakdown } from '../../shared/domain/receipts/document.ts';
import { issuedBy } from '../../shared/domain/receipts/issued.ts';
import type { SoldLine } from '../../shared/domain/receipts/sold-lines.ts';
import { anAddress, aSeller } from '../support/receipts.ts';

const price = {
  priceId: 1_025,
  quantity: 3,
  netMinor: 2_997,
  taxMinor: 477,
  serviceFeeMinor: 100,
  serviceTaxMinor: 19,
};
const nothing = { eventId: 1_024, currency: 'EUR', types: [], transactionFeeMinor: 0, orderId: 64, atUnix: 1 };

/** Three tickets for 9.99 with 19 % of tax, whose tax was rounded for each: 1.59, and not 4.79 for all of them. */
const sale: JournalEntry = { ...nothing, kind: 'sale', entryId: 'jrn_1', prices: [price], money: { card: 3_116 } };
const refundOfOne: JournalEntry = {
  ...nothing,
  kind: 'refund',
  entryId: 'jrn_2',
  prices: [{ ...price, quantity: -1, netMinor: -999, taxMinor: -159, serviceFeeMinor: 0, serviceTaxMinor: 0 }],
  money: { card: -999 },
};
const failed: JournalEntry = {
  ...nothing,
  kind: 'refund_failed',
  entryId: 'jrn_3',
  prices: [{ ...price, quantity: 1, netMinor: 999, taxMinor: 159, serviceFeeMinor: 0, serviceTaxMinor: 0 }],
  money: { card: 999 },
};
const refundOfAll: JournalEntry = {
  ...refundOfOne,
  prices: [{ ...price, quantity: -3, netMinor: -2_997, taxMinor: -477, serviceFeeMinor: -100, serviceTaxMinor: -19 }],
  money: { card: -3_116 },
};
const address: JournalEntry = { ...nothing, kind: 'invoice_address', entryId: 'jrn_4', prices: [], money: {} };
const sold: readonly [SoldLine] = [
  {
    item: { of: 'price', id: 1_025 },
    title: 'East · Adult',
    event: null,
    quantity: 3,
    taxRate: 19,
    grossMinor: 2_997,
    taxMinor: 477,
  },
];

/** Issues the documents of these entries, numbered R1, C2 and so on. */
const issue = (...entries: readonly JournalEntry[]) => issueOf(sold, ...entries);

function issueOf(sold: readonly SoldLine[], ...entries: readonly JournalEntry[]): readonly DocumentRecord[] {
  const documents: DocumentRecord[] = [];
  let laterBuyer: InvoiceAddress | null = null;
  for (const entry of entries) {
    const sale = { seller: aSeller, buyer: null, sold };
    if (entry.kind === 'invoice_address') laterBuyer = anAddress;
    for (const contents of issuedBy(entry, { sale, laterBuyer, documents })) {
      const nth = documents.length + 1;
      documents.push({ ...contents, documentId: `doc_${nth}`, number: `${contents.kind[0]}${nth}`, issuedUnix: nth });
    }
  }
  return documents;
}

describe('What a receipt says', () => {
  it('is not a cent beside its tax: a fee changes no net and no tax of tickets', () => {
    const [receipt] = issue(sale);
    expect(receipt && taxBreakdown(receipt.lines)).toEqual([
      { taxRate: 19, netMinor: 2_520, taxMinor: 477, grossMinor: 2_997 },
      { taxRate: null, netMinor: 100, taxMinor: 19, grossMinor: 119 },
    ]);
  });

  it('has service fees and service tax as lines of their own', () => {
    const [receipt] = issue(sale);
    expect(
      receipt?.lines.map(({ title, quantity, netMinor, taxMinor }) => [title, quantity, netMinor, taxMinor]),
    ).toEqual([
      ['East · Adult', 3, 2_520, 477],
      ['Service fees', 3, 100, 0],
      ['Service tax', 3, 0, 19],
    ]);
  });
});

describe('A credit note', () => {
  it('refers to the receipt that it corrects, not to the newest document of the order', () => {
    const documents = issue(sale, refundOfOne, failed, { ...refundOfOne, entryId: 'jrn_5' });
    expect(documents.map(({ kind, refersTo }) => [kind, refersTo?.number])).toEqual([
      ['receipt', undefined],
      ['credit_note', 'r1'],
      ['receipt', 'r1'],
      ['credit_note', 'r1'],
    ]);
  });

  it('of before an address was given never has it, and the ones after it do', () => {
    const documents = issue(sale, refundOfOne, address, { ...refundOfOne, entryId: 'jrn_5' });
    expect(documents.map(({ number, buyer, refersTo }) => [number, buyer?.taxId, refersTo?.number])).toEqual([
      ['r1', undefined, undefined],
      ['c2', undefined, 'r1'],
      ['c3', undefined, 'r1'],
      ['r4', anAddress.taxId, undefined],
      ['c5', anAddress.taxId, 'r4'],
    ]);
    expect(documents.map(({ lines }) => documentTotalMinor(lines))).toEqual([3_116, -999, -2_117, 2_117, -999]);
    expect(documents[2]?.paidBy).toEqual([{ kind: 'card', amountMinor: -2_117 }]);
  });

  it('copies the seller of the receipt, whatever the settings say by then', () => {
    const [receipt, note] = issue(sale, refundOfOne);
    expect(note?.seller).toBe(receipt?.seller);
    expect(note?.lines).toEqual([
      expect.objectContaining({ quantity: -1, taxRate: 19, taxMinor: -159, grossMinor: -999 }),
    ]);
  });

  it('is not issued for an order that was sold before receipts were switched on', () => {
    expect(issue(refundOfOne, address)).toEqual([]);
  });

  it('is not issued for money that only moves between accounts', () => {
    const moved: JournalEntry = {
      ...nothing,
      kind: 'dispute_withdrawn',
      entryId: 'jrn_6',
      prices: [],
      money: { card: -999, disputes: 999 },
    };
    expect(issue(sale, moved, { ...moved, kind: 'instalment' }, { ...moved, kind: 'refund' })).toHaveLength(1);
  });
});

describe('The documents of an order', () => {
  it('contradict each other if one returns what none has sold', () => {
    const documents = issue(sale, refundOfOne, failed, address, { ...refundOfOne, entryId: 'jrn_5' });
    expect(contradictionsOf(documents)).toEqual([]);
    const [receipt, ...others] = documents;
    if (receipt === undefined) throw new Error('There is no receipt.');
    const free = receipt.lines.map((line) => ({ ...line, grossMinor: 0, taxMinor: 0, netMinor: 0 }));
    expect(contradictionsOf([{ ...receipt, lines: free }, ...others])).toEqual([
      expect.stringMatching(/more of a line/),
    ]);
    const unrated = receipt.lines.map((line) => ({ ...line, taxRate: null }));
    expect(contradictionsOf([{ ...receipt, lines: unrated }, ...others])).toContainEqual(
      expect.stringMatching(/that its receipt has not/),
    );
  });
});

describe('A document that refers to another one than the receipt in force', () => {
  const documents = issue(sale, refundOfOne, address, { ...refundOfOne, entryId: 'jrn_5' });
  const problem = [expect.stringMatching(/refers to another one/)];
  const changed = (number: string, change: Partial<DocumentRecord>) =>
    documents.map((document) => (document.number === number ? { ...document, ...change } : document));

  it.each([
    ['a credit note of the receipt that was replaced', 'c5', { refersTo: { number: 'r1', issuedUnix: 1 } }],
    ['a credit note of a credit note', 'c3', { refersTo: { number: 'c2', issuedUnix: 2 } }],
    ['a credit note with another date', 'c5', { refersTo: { number: 'r4', issuedUnix: 1 } }],
    ['a credit note of nothing', 'c2', { refersTo: null }],
    ['a receipt of one that comes later', 'r1', { refersTo: { number: 'r4', issuedUnix: 4 } }],
  ])('contradicts it: %s', (_, number, change) => {
    expect(contradictionsOf(documents)).toEqual([]);
    expect(contradictionsOf(changed(number, change))).toEqual(problem);
  });

  it('does not contradict it if a document was issued late, which came between', () => {
    const late = changed('c2', { refersTo: { number: 'r4', issuedUnix: 4 } });
    expect(contradictionsOf(late)).toEqual(problem);
    expect(contradictionsOf(late, { doc_2: 'c2' })).toEqual([]);
  });
});

describe('A refund that fails after an invoice address was given', () => {
  const child = {
    ...price,
    priceId: 1_026,
    quantity: 1,
    netMinor: 1_070,
    taxMinor: 70,
    serviceFeeMinor: 0,
    serviceTaxMinor: 0,
  };
  const returned = { ...child, quantity: -1, netMinor: -1_070, taxMinor: -70 };
  const childLine: SoldLine = {
    ...sold[0],
    item: { of: 'price', id: 1_026 },
    title: 'East · Child',
    quantity: 1,
    taxRate: 7,
    grossMinor: 1_070,
    taxMinor: 70,
  };
  const saleOfBoth: JournalEntry = { ...sale, prices: [price, child], money: { card: 4_186 } };
  const refundOfChild: JournalEntry = { ...refundOfOne, prices: [returned], money: { card: -1_070 } };

  it('is taken back with title and tax rate of the sale, though the receipt in force has nothing of it', () => {
    const failedChild: JournalEntry = { ...failed, entryId: 'jrn_5', prices: [child], money: { card: 1_070 } };
    const again: JournalEntry = { ...refundOfChild, entryId: 'jrn_6' };
    const documents = issueOf([...sold, childLine], saleOfBoth, refundOfChild, address, failedChild, again);
    expect(
      documents
        .slice(4)
        .map(({ lines }) => lines.map(({ title, taxRate, grossMinor }) => [title, taxRate, grossMinor])),
    ).toEqual([[['East · Child', 7, 1_070]], [['East · Child', 7, -1_070]]]);
  });

  it('is in the receipt that an address replaces, also as a fee that the first one did not have', () => {
    const failedPart: JournalEntry = { ...failed, transactionFeeMinor: 500, money: { card: 1_499 } };
    const documents = issue(sale, refundOfAll, failedPart, address);
    expect(documents.map(({ lines }) => documentTotalMinor(lines))).toEqual([3_116, -3_116, 1_499, -1_499, 1_499]);
    expect(documents.at(-1)?.paidBy).toEqual([{ kind: 'card', amountMinor: 1_499 }]);
  });

  it('is on a receipt with the buyer, if nothing was left when the address was given', () => {
    const documents = issue(sale, refundOfAll, address, failed, { ...address, entryId: 'jrn_7' }, refundOfOne);
    expect(documents.map(({ number, buyer, refersTo }) => [number, buyer?.taxId, refersTo?.number])).toEqual([
      ['r1', undefined, undefined],
      ['c2', undefined, 'r1'],
      ['r3', anAddress.taxId, undefined],
      ['c4', anAddress.taxId, 'r3'],
    ]);
    expect(documents.map(({ lines }) => documentTotalMinor(lines))).toEqual([3_116, -3_116, 999, -999]);
  });
});
