/** English with the day before the month, as the API writes it: Intl has only that of the United States under `en`. */
const apiEnglish = 'en-AU';

let current = apiEnglish;

/** How dates and amounts are written. The words of this site are English. */
export const locale = (): string => current;

/** Writes dates and amounts as the organisation does on its tickets. */
export function writeAs(organisationLocale: string): void {
  current = organisationLocale === 'en' ? apiEnglish : organisationLocale;
}
