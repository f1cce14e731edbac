import { describe, expect, it } from 'vitest';
import { testAppleAccount, testGoogleAccount } from '../../local/run/local-wallets.ts';
import { appleTicket } from '../../shared/documents/apple-pass.ts';
import { areInFonts } from '../../shared/documents/fonts.ts';
import { googleTicketObject } from '../../shared/documents/google-pass.ts';
import { newPdf } from '../../shared/documents/pdf.ts';
import { columns, labelWidth } from '../../shared/documents/receipt-pdf.ts';
import { breakdownRows, factsOf, lineRows, paidRows } from '../../shared/documents/receipt-texts.ts';
import { en } from '../../shared/documents/texts/en.ts';
import { endedLinkPage, ticketPage } from '../../shared/documents/ticket-page.ts';
import { asLine, texts, writingIn } from '../../shared/documents/writing.ts';
import { acceptedLanguage, languageOf, languages, readLocale } from '../../shared/domain/organisations/locale.ts';
import { aReceipt } from '../support/receipts.ts';
import { aTicketWithFacts } from '../support/ticket-facts.ts';

const others = languages.filter((language) => language !== 'en');
const startUnix = Date.UTC(2026, 10, 14, 18, 30) / 1000;
/** With plain spaces: Intl joins amounts with spaces that do not break, and which ones depends on its version. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('The texts of documents', () => {
  it.each(others)('in %s are complete, with the same values, and none is English by mistake', (language) => {
    const own = texts[language];
    expect(Object.keys(own)).toEqual(Object.keys(en));
    const valuesIn = (text: string) => text.match(/\{\w+\}/g)?.sort();
    for (const [key, text] of Object.entries(en)) {
      const written = Object.entries(own).find(([name]) => name === key)?.[1] ?? '';
      expect(valuesIn(written), key).toEqual(valuesIn(text));
      expect(written.trim(), key).toBe(written);
      if (/ .* /.test(text)) expect(written, key).not.toBe(text);
    }
  });

  it.each(languages)('in %s are printed by the fonts of a PDF, with all that Intl adds', (language) => {
    const { text: _, ...formats } = writingIn(language);
    const amounts = ['EUR', 'AUD', 'USD', 'GBP', 'CHF', 'JPY', 'KWD', 'INR'].map((one) =>
      formats.money(-1_234_550, one),
    );
    const dates = Array.from({ length: 12 }, (_, month) =>
      formats.dateTime(Date.UTC(2026, month, 14 + month) / 1000, 'UTC'),
    );
    for (const text of [...Object.values(texts[language]), ...amounts, ...dates, formats.percent(5.5)])
      expect(areInFonts(text), text).toBe(true);
  });

  it.each(languages)('in %s fit into the columns of a receipt', (language) => {
    const writing = writingIn(language);
    const pdf = newPdf({ title: '', author: '', locale: language, nowMs: 0 });
    const heading = lineRows({ ...aReceipt, currency: 'CHF' }, writing)[0].cells;
    for (const [index, cell] of heading.entries()) {
      pdf.font('bold', 10);
      // A heading may have two lines, but no word is broken.
      for (const word of cell.split(' ')) expect(pdf.widthOfString(word), word).toBeLessThan(columns[index] ?? 0);
    }
    const kinds = ['card', 'cash', 'terminal', 'bank', 'other', 'receivable', 'disputes'] as const;
    const paidBy = kinds.map((kind) => ({ kind, amountMinor: 1 }));
    const labels = (['receipt', 'credit_note'] as const).flatMap((kind) =>
      paidRows({ ...aReceipt, kind, paidBy }, writing),
    );
    for (const { label } of labels)
      expect(pdf.font('regular', 10).widthOfString(label), label).toBeLessThan(labelWidth);
  });
});

describe('Dates and amounts', () => {
  it.each([
    ['en', 'Saturday 14 November 2026, 7:30 pm', '14 November 2026', '1234.50 EUR'],
    ['en-US', 'Saturday, November 14, 2026 at 7:30 PM', 'November 14, 2026', '€1,234.50'],
    ['en-GB', 'Saturday 14 November 2026 at 19:30', '14 November 2026', '€1,234.50'],
    ['de', 'Samstag, 14. November 2026 um 19:30', '14. November 2026', '1.234,50 €'],
    ['de-AT', 'Samstag, 14. November 2026 um 19:30', '14. November 2026', '€ 1.234,50'],
    ['fr', 'Samedi 14 novembre 2026 à 19:30', '14 novembre 2026', '1 234,50 €'],
    ['fr-CA', 'Samedi 14 novembre 2026 à 19 h 30', '14 novembre 2026', '1 234,50 €'],
    ['es', 'Sábado, 14 de noviembre de 2026, 19:30', '14 de noviembre de 2026', '1234,50 €'],
    ['it', 'Sabato 14 novembre 2026 alle ore 19:30', '14 novembre 2026', '1234,50 €'],
    ['nl', 'Zaterdag 14 november 2026 om 19:30', '14 november 2026', '€ 1.234,50'],
  ])('in %s are as its country writes them', (locale, dateTime, day, money) => {
    const writing = writingIn(locale);
    const zone = 'Europe/Berlin';
    // Versions of Intl differ in a comma after the day of the week.
    const same = (text: string) => plain(text).replaceAll(',', '');
    expect(same(asLine(writing.dateTime(startUnix, zone), locale))).toBe(same(dateTime));
    expect(plain(writing.day(startUnix, zone))).toBe(day);
    expect(plain(writing.money(123_450, 'EUR'))).toBe(money);
  });

  it('have the decimals of their currency, the calendar and digits of gates, and no negative zero', () => {
    expect(plain(writingIn('de').money(1_250, 'KWD'))).toBe('1,250 KWD');
    expect(plain(writingIn('de').money(1_250, 'JPY'))).toBe('1.250 ¥');
    expect(plain(writingIn('de').amount(-0, 'EUR'))).toBe('0,00');
    expect(plain(writingIn('de').percent(5.5))).toBe('5,5 %');
    for (const locale of ['en-TH', 'en-SA', 'en-IR']) expect(writingIn(locale).day(startUnix, 'UTC')).toContain('2026');
  });
});

describe('The locale of an organisation', () => {
  it('is one of the languages, alone or with a country, as BCP 47 writes it', () => {
    const read = { de: 'de', 'DE-at': 'de-AT', 'fr-ca': 'fr-CA', 'es-419': 'es-419', 'en-001': 'en-001' };
    for (const [text, locale] of Object.entries(read)) expect(readLocale(text), text).toBe(locale);
    for (const text of ['', 'pt', 'pt-BR', 'de_AT', 'de-XX', 'de-', 'de-AT-u-nu-arab', 'deu', 'de-Latn', 'de-123', 'x'])
      expect(readLocale(text), text).toBeUndefined();
    expect(['de-AT', 'fr', 'pt'].map(languageOf)).toEqual(['de', 'fr', 'en']);
  });

  it('writes the page, the passes and the receipts', () => {
    const facts = aTicketWithFacts({ locale: 'de-AT', place: [{ key: 'row', label: 'Reihe', value: '12' }] });
    const { body } = ticketPage(facts, []);
    expect(body).toContain('<html lang="de-AT">');
    expect(body).toMatch(/QR-Code des Tickets.*<dt>Name<.*<dt>Reihe<.*<dt>Ticket</s);
    expect(body).not.toMatch(/Row|QR code/);
    const later = ticketPage({ ...facts, barcode: null, barcodeFrom: 'Freitag, 13. November 2026 um 19:30' }, []);
    expect(later.body).toContain('Er erscheint am Freitag, 13. November 2026 um 19:30.');

    const pass = Buffer.from(appleTicket(testAppleAccount(), facts, { serialNumber: '1' })).toString('utf8');
    expect(pass).toMatch(/"key":"starts","label":"Beginn"/);
    expect(pass).toMatch(/"key":"row","label":"Reihe","value":"12"/);
    expect(googleTicketObject(testGoogleAccount(), facts)).toMatchObject({
      seatInfo: { row: { defaultValue: { language: 'de-AT', value: '12' } } },
    });

    const german = writingIn('de-AT');
    const note = {
      ...aReceipt,
      kind: 'credit_note',
      refersTo: aReceipt,
      paidBy: [{ kind: 'cash', amountMinor: -5_550 }],
    } as const;
    expect(factsOf(note, 'Europe/Vienna', german).at(-1)?.value).toBe('Beleg R2026-00001 vom 7. November 2026');
    expect(paidRows(note, german)).toEqual([{ label: 'Bar erstattet', value: expect.stringMatching(/55,50/) }]);
    expect(lineRows(note, german).map(({ cells }) => plain(cells.join('|')))).toEqual([
      'Bezeichnung|Menge|Netto|Steuersatz|Steuer|Brutto AUD',
      'East stand · Adult|2|45,45|10 %|4,55|50,00',
      'Servicegebühren|2|5,00|–|0,00|5,00',
      'Steuer auf Servicegebühren|2|0,00|–|0,50|0,50',
    ]);
    expect(breakdownRows(note, german)[0].cells[0]).toBe('Nach Steuersatz');
  });

  it('of a link that shows nothing is not told: the page is in a language of the browser', () => {
    expect(endedLinkPage('nl-BE,nl;q=0.9,en;q=0.8').body).toContain('<html lang="nl">');
    expect(endedLinkPage('pt-BR,fr;q=0.5').body).toContain('Ce lien ne mène à aucun billet');
    for (const header of [undefined, '', '*', 'pt', '"><script>']) expect(acceptedLanguage(header)).toBe('en');
  });
});
