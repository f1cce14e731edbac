import { describe, expect, it } from 'vitest';
import { receiptPdf } from '../../shared/documents/receipt-pdf.ts';
import { breakdownRows, factsOf, lineRows, paidRows, partiesOf } from '../../shared/documents/receipt-texts.ts';
import { writingIn } from '../../shared/documents/writing.ts';
import type { DocumentRecord } from '../../shared/domain/receipts/document.ts';
import { anAddress, aReceipt } from '../support/receipts.ts';

const zone = { locale: 'en', timezone: 'Australia/Sydney', nowMs: 0 };
const english = writingIn('en');
const pagesOf = async (document: DocumentRecord): Promise<number> =>
  [
    ...Buffer.from(await receiptPdf(document, zone))
      .toString('latin1')
      .matchAll(/\/Type \/Page\b/g),
  ].length;

describe('The PDF of a receipt', () => {
  it('says seller, buyer, lines, the tax by rate, number, date and how it is paid', () => {
    const receipt: DocumentRecord = { ...aReceipt, buyer: anAddress };
    expect(partiesOf(receipt, english).map(({ texts }) => texts)).toEqual([
      ['Harbour FC', '1 Quay Street', 'Sydney NSW 2000', 'Tax id AU 51 824 753 556'],
      [
        'Example Pty Ltd',
        '2 Market Street',
        '3000 Melbourne',
        'Australia',
        'Tax id AU 11 222 333 444',
        'Reference PO 4711',
      ],
    ]);
    expect(lineRows(receipt, english).map(({ cells }) => cells.join('|'))).toEqual([
      'Description|Quantity|Net|Tax rate|Tax|Gross AUD',
      'East stand · Adult|2|45.45|10 %|4.55|50.00',
      'Service fees|2|5.00|–|0.00|5.00',
      'Service tax|2|0.00|–|0.50|0.50',
    ]);
    expect(breakdownRows(receipt, english).map(({ cells }) => cells.join('|'))).toEqual([
      'By tax rate||Net|Tax rate|Tax|Gross AUD',
      '||45.45|10 %|4.55|50.00',
      '||5.00|–|0.50|5.50',
    ]);
    expect(factsOf(receipt, zone.timezone, english).map(({ value }) => value)).toEqual([
      'R2026-00001',
      '7 November 2026',
      '64',
    ]);
    expect(paidRows(receipt, english)).toEqual([{ label: 'Paid by card', value: '55.50 AUD' }]);
  });

  it('of a credit note names number and date of the receipt, and who returned the money', () => {
    const note: DocumentRecord = {
      ...aReceipt,
      kind: 'credit_note',
      refersTo: { number: aReceipt.number, issuedUnix: aReceipt.issuedUnix },
      paidBy: [{ kind: 'cash', amountMinor: -5_550 }],
    };
    expect(factsOf(note, zone.timezone, english).at(-1)?.value).toBe('Receipt R2026-00001 of 7 November 2026');
    expect(paidRows(note, english)).toEqual([{ label: 'Returned by cash', value: '-55.50 AUD' }]);
  });

  it('is one page for a usual order, and has more pages for forty lines with long titles', async () => {
    const [line] = aReceipt.lines;
    if (line === undefined) throw new Error('The receipt has no line.');
    const long = { ...line, title: 'A very long title '.repeat(40) };
    expect(await pagesOf(aReceipt)).toBe(1);
    expect(
      await pagesOf({ ...aReceipt, buyer: anAddress, lines: Array.from({ length: 40 }, () => long) }),
    ).toBeGreaterThan(2);
  });

  it('prints a text in another script as the order in which it is', async () => {
    const name = '株式会社例';
    const bytes = await receiptPdf({ ...aReceipt, buyer: { ...anAddress, company: name } }, zone);
    expect(bytes.length).toBeGreaterThan(5_000);
  });
});
