import { InvalidArgumentError } from '@commander-js/extra-typings';
import { characterCount } from '../shared/domain/characters.ts';
import { parseId } from '../shared/domain/ids.ts';
import { countryName } from '../shared/domain/organisations/country-names.ts';
import { localeRule, readLocale } from '../shared/domain/organisations/locale.ts';
import { isOrganisationId } from '../shared/http/auth/signed-token.ts';

/** A type of argument: how its text is parsed, and what to tell the operator if the text is wrong. */
export interface ArgumentType<Value> {
  readonly allowed: string;
  /** Returns undefined if the text is not allowed. Never null: commander would turn it into an empty text. */
  parse(text: string): (Value & NonNullable<unknown>) | undefined;
}

/** The argument type as a parser for commander, which names the argument in its error message. */
export function as<Value>({ allowed, parse }: ArgumentType<Value>) {
  return (text: string, previous: Value | undefined): Value => {
    if (previous !== undefined) throw new InvalidArgumentError('Give it only once.');
    // Otherwise `--label --local` would leave out --local and work on the table of a stage.
    if (/^--[a-z]/.test(text)) throw new InvalidArgumentError('This is an option, not a value.');
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`Allowed: ${allowed}.`);
    return value;
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
export const controlCharacters = /[\u0000-\u001f\u007f]/;

/** One line of text. */
export function line(maxLength: number): ArgumentType<string> {
  return {
    allowed: `one line of 1 to ${maxLength} characters`,
    parse(text) {
      const trimmed = text.trim();
      return trimmed === '' || characterCount(trimmed) > maxLength || controlCharacters.test(trimmed)
        ? undefined
        : trimmed;
    },
  };
}

/** An empty text clears the field, as in the forms of the API. */
export function clearable({ allowed, parse }: ArgumentType<string>): ArgumentType<string> {
  return { allowed: `${allowed}; or "" to clear it`, parse: (text) => (text === '' ? '' : parse(text)) };
}

export function oneOf<Value extends string>(values: readonly Value[]): ArgumentType<Value> {
  return { allowed: values.join(', '), parse: (text) => values.find((value) => value === text) };
}

/** The different items of a comma-separated list; undefined if one of them cannot be parsed. */
export function parseList<Item>(text: string, parse: (item: string) => Item | undefined): Item[] | undefined {
  const items = text.split(',').map((item) => parse(item.trim()));
  const parsed = items.filter((item) => item !== undefined);
  return parsed.length === items.length ? [...new Set(parsed)] : undefined;
}

export const organisationHelp = 'The id of the organisation, such as org_harbourfc.';
export const organisationId: ArgumentType<string> = {
  allowed: 'org_ followed by 4 to 24 lowercase letters and digits',
  parse: (text) => (isOrganisationId(text) ? text : undefined),
};

export const numericId: ArgumentType<number> = { allowed: 'a positive integer', parse: parseId };

export const fileName: ArgumentType<string> = {
  allowed: 'a file name',
  parse: (text) => (text === '' || text.includes('\u0000') ? undefined : text),
};

export const country: ArgumentType<string> = {
  allowed: 'an ISO 3166-1 alpha-2 country code, such as AU',
  parse(text) {
    const code = text.toUpperCase();
    return countryName(code) === undefined ? undefined : code;
  },
};

export const timezone: ArgumentType<string> = {
  allowed: 'an IANA time zone, such as Australia/Melbourne',
  parse(text) {
    if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text)) return undefined;
    try {
      const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
      // Intl corrects the case, but it also turns Asia/Kolkata into Asia/Calcutta, the old name.
      return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
    } catch {
      return undefined;
    }
  },
};

export const locale: ArgumentType<string> = { allowed: localeRule, parse: readLocale };

export const colour: ArgumentType<string> = {
  allowed: 'a CSS colour as hex digits or as a name, such as #0b2545 or navy',
  parse: (text) => (/^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30})$/i.test(text) ? text : undefined),
};
