import { countryName } from './country-names.ts';

/** The languages in which documents are written. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;
export type Language = (typeof languages)[number];

/** Of an organisation that states none, and of every organisation that is older than the setting. */
export const defaultLocale = 'en';

export const localeRule = `a language tag (BCP 47) of ${languages.join(', ')}, alone or with a country, such as de-AT`;

/** The tag as BCP 47 writes it, such as de-AT for DE-at; undefined for another language, and for scripts and extensions. */
export function readLocale(text: string): string | undefined {
  const [, language = '', region] = /^([a-z]{2})(?:-([a-z]{2}|\d{3}))?$/i.exec(text) ?? [];
  const known = languages.find((one) => one === language.toLowerCase());
  if (known === undefined || region === undefined) return known;
  const isKnown = /^\d/.test(region) ? largerRegions.includes(region) : countryName(region.toUpperCase()) !== undefined;
  return isKnown ? `${known}-${region.toUpperCase()}` : undefined;
}

/** The numbers with which languages are marked in practice: the world, Europe, and Latin America. */
const largerRegions: readonly string[] = ['001', '150', '419'];

/** The language of the fixed words: the first part of the tag. */
export function languageOf(locale: string): Language {
  const [first] = locale.split('-');
  return languages.find((language) => language === first) ?? defaultLocale;
}

/** The first language that a browser asks for (Accept-Language) and documents are written in. Browsers name the preferred one first. */
export function acceptedLanguage(header: string | undefined): Language {
  const asked = (header ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  return asked.flatMap((one) => languages.find((language) => language === one) ?? [])[0] ?? defaultLocale;
}
