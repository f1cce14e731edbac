import { decimalsOf, majorUnits, moneyText } from '../domain/money.ts';
import { countryName } from '../domain/organisations/country-names.ts';
import { defaultLocale, type Language, languageOf } from '../domain/organisations/locale.ts';
import { writtenTime } from '../domain/time/local-time.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { it } from './texts/it.ts';
import { nl } from './texts/nl.ts';
import type { TextKey, Texts, ValuesOf } from './texts/texts.ts';

export const texts: Readonly<Record<Language, Texts>> = { en, de, fr, es, it, nl };

/** How documents of an organisation are written. The language of the locale chooses the words, and its country how dates and amounts look. */
export interface Writing {
  readonly locale: string;
  /** A fixed text, with these values in place of the names in braces. */
  text<Key extends TextKey>(key: Key, ...values: ValuesOf<Key>): string;
  /** Such as Samstag, 14. November 2026 um 19:30. */
  dateTime(unix: number, timezone: string): string;
  /** Such as 14. November 2026. */
  day(unix: number, timezone: string): string;
  /** With its currency, such as 69,30 €. */
  money(minor: number, currency: string): string;
  /** Without its currency, where a heading names it. */
  amount(minor: number, currency: string): string;
  percent(rate: number): string;
  country(code: string): string;
}

export function writingIn(locale: string): Writing {
  const words = texts[languageOf(locale)];
  return {
    locale,
    text: (key, ...[values]) => {
      const given = new Map<string, string | number>(Object.entries(values ?? {}));
      return words[key].replace(/\{(\w+)\}/g, (name, key: string) => String(given.get(key) ?? name));
    },
    // English alone is the English of the API's own texts: no country of Intl writes all of it.
    ...(locale === defaultLocale ? plainEnglish : asInCountry(locale)),
  };
}

type Formats = Omit<Writing, 'locale' | 'text'>;

const plainEnglish: Formats = {
  dateTime: (unix, timezone) => writtenTime(unix, timezone).full,
  day(unix, timezone) {
    const { date, month, year } = writtenTime(unix, timezone);
    return `${date} ${month} ${year}`;
  },
  money: moneyText,
  amount: (minor, currency) => moneyText(minor, currency).slice(0, -currency.length - 1),
  percent: (rate) => `${rate} %`,
  country: (code) => countryName(code) ?? code,
};

/** By Intl. Some countries have another calendar and other digits by default; tickets are read at gates in those of all others. */
function asInCountry(locale: string): Formats {
  const dates = { calendar: 'gregory', numberingSystem: 'latn' } as const;
  const decimals = (minor: number, currency: string, style: Intl.NumberFormatOptions): string => {
    const digits = decimalsOf(currency);
    const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits, numberingSystem: 'latn' } as const;
    // A sum of nothing is never "-0".
    return new Intl.NumberFormat(locale, { ...style, ...exact, signDisplay: 'negative' }).format(
      majorUnits(minor, currency),
    );
  };
  return {
    dateTime: (unix, timeZone) =>
      new Intl.DateTimeFormat(locale, { ...dates, dateStyle: 'full', timeStyle: 'short', timeZone }).format(
        unix * 1000,
      ),
    day: (unix, timeZone) =>
      new Intl.DateTimeFormat(locale, { ...dates, dateStyle: 'long', timeZone }).format(unix * 1000),
    money: (minor, currency) => decimals(minor, currency, { style: 'currency', currency }),
    amount: (minor, currency) => decimals(minor, currency, {}),
    percent: (rate) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4, numberingSystem: 'latn' }).format(
        rate / 100,
      ),
    country: (code) => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code,
  };
}

/** A text that begins a line: many languages write the names of days in small letters. */
export const asLine = (text: string, locale: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
