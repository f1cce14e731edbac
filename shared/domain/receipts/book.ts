import type { DocumentKind } from './document.ts';
import { numberIn, type ReceiptSettings, seriesOf, settingsAt } from './settings.ts';

/** The receipt book of an organisation: its settings, the numbers that were given, and how far it has followed the journal. */
export interface ReceiptBook {
  /** The oldest first. */
  readonly settings: readonly [ReceiptSettings, ...ReceiptSettings[]];
  /** How many numbers each series has given, which is also the last one. */
  readonly counts: Readonly<Record<string, number>>;
  /** The last entry of the journal that has its document, or needs none; empty before the first. */
  readonly after: string;
  /** Until then one worker has the book. */
  readonly leasedUntilUnix: number;
  /** The last document whose buyer was removed, because the years are over for which it is kept; empty before the first. */
  readonly forgotten: string;
  readonly version: number;
}

/** Gives the next number of the series that a document belongs to by its time. */
export function withNumber(
  book: ReceiptBook,
  kind: DocumentKind,
  issued: { readonly unix: number; readonly timezone: string },
): { readonly book: ReceiptBook; readonly number: string; readonly settings: ReceiptSettings } {
  const settings = settingsAt(book.settings, issued.unix) ?? book.settings[0];
  const series = seriesOf(settings, kind, issued);
  const count = (book.counts[series] ?? 0) + 1;
  return { book: { ...book, counts: { ...book.counts, [series]: count } }, number: numberIn(series, count), settings };
}
