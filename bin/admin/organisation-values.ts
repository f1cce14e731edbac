import type { ValueKind } from './arguments.ts';

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Codes that Intl names although ISO 3166-1 has not assigned them to a country: unions, islands apart, test regions. */
const unassigned = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'XK', 'ZZ']);

export const country: ValueKind<string> = {
  allowed: 'a country code of ISO 3166-1 alpha-2, such as AU',
  parse(text) {
    const code = text.toUpperCase();
    if (!/^[A-Z]{2}$/.test(code) || unassigned.has(code) || countryNames.of(code) === undefined) return undefined;
    // A code that was withdrawn (SU, YU) has a successor as its canonical form.
    return new Intl.Locale(`und-${code}`).region === code ? code : undefined;
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
