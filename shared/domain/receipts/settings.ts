import { localDate } from '../time/local-time.ts';
import type { DocumentKind, Seller } from './document.ts';

/** Who sells, and how receipts and credit notes are numbered, from a second on. */
export interface ReceiptSettings {
  readonly sinceUnix: number;
  readonly seller: Seller;
  readonly prefix: string;
  readonly creditPrefix: string;
  /** Whether the numbers begin again with each year. */
  readonly yearly: boolean;
  /** For how many years a document keeps its buyer. */
  readonly keepYears: number;
}

/** The settings of a second; undefined before receipts were switched on. */
export function settingsAt(settings: readonly ReceiptSettings[], unix: number): ReceiptSettings | undefined {
  return settings.findLast(({ sinceUnix }) => sinceUnix <= unix);
}

/** The text before the number. It is the series: numbers have no gaps after the same text, whatever the settings were. */
export function seriesOf(
  { prefix, creditPrefix, yearly }: ReceiptSettings,
  kind: DocumentKind,
  issued: { readonly unix: number; readonly timezone: string },
): string {
  const text = kind === 'receipt' ? prefix : creditPrefix;
  return yearly ? `${text}${localDate(issued.unix, issued.timezone).slice(0, 4)}-` : text;
}

const digits = 6;

/** A series never ends in a digit (`prefixProblem`), so no two series have a number in common. */
export const numberIn = (series: string, count: number): string => `${series}${String(count).padStart(digits, '0')}`;

/** The series and the count of a number. */
export function partsOfNumber(number: string): { readonly series: string; readonly count: number } {
  const series = number.replace(/\d+$/, '');
  return { series, count: Number(number.slice(series.length)) };
}

const prefixPattern = /^[A-Za-z0-9][A-Za-z0-9/._-]{0,18}[A-Za-z/._-]$|^[A-Za-z]$/;

export const prefixRule =
  '1 to 20 Latin letters, digits and / . _ -, which begin with a letter or a digit and end with no digit';

export const isPrefix = (text: string): boolean => prefixPattern.test(text);

/**
 * Why these settings cannot follow the earlier ones; undefined if they can. A text that begins receipts never begins credit notes, now or
 * before: their series would be one, and a number would say nothing of its kind.
 */
export function settingsProblem(earlier: readonly ReceiptSettings[], next: ReceiptSettings): string | undefined {
  const all = [...earlier, next];
  const isMixed = all.some((one) =>
    all.some(({ creditPrefix }) => one.prefix.startsWith(creditPrefix) || creditPrefix.startsWith(one.prefix)),
  );
  return isMixed
    ? 'The prefixes of receipts and credit notes must differ, and neither may begin with the other, nor with one that was used before.'
    : undefined;
}

/** The time before which a document has lost its buyer: the years are whole calendar years after that of the document. */
export function keptSinceMs({ keepYears }: Pick<ReceiptSettings, 'keepYears'>, nowMs: number): number {
  return Date.UTC(new Date(nowMs).getUTCFullYear() - keepYears, 0, 1);
}
