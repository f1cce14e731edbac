import { countryName } from '../../shared/domain/organisations/country-names.ts';
import type { ValueKind } from '../arguments.ts';

export const country: ValueKind<string> = {
  allowed: 'a country code of ISO 3166-1 alpha-2, such as AU',
  parse(text) {
    const code = text.toUpperCase();
    return countryName(code) === undefined ? undefined : code;
  },
};

export const timezone: ValueKind<string> = {
  allowed: 'an IANA timezone, such as Australia/Melbourne',
  parse(text) {
    if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text)) return undefined;
    try {
      const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
      // Intl mends the case, but also turns Asia/Kolkata into Asia/Calcutta: only the first is wanted.
      return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
    } catch {
      return undefined;
    }
  },
};

export const imageAddress: ValueKind<string> = {
  allowed: 'an https address of up to 2,000 characters',
  parse: (text) =>
    text.length <= 2_000 && URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined,
};

export const colour: ValueKind<string> = {
  allowed: 'a CSS colour by hex digits or by name, such as #0b2545 or navy',
  parse: (text) => (/^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30})$/i.test(text) ? text : undefined),
};
