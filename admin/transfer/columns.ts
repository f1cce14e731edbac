import * as v from 'valibot';
import { characterCount } from '../../shared/domain/characters.ts';
import { isCurrency, toThousandths } from '../../shared/domain/money.ts';
import { colour, controlCharacters, timezone as timezoneType } from '../arguments.ts';

/** The types of columns. Each message is the end of a sentence that starts with the name of the column. */

const string = v.string('must be text');
/**
 * Half a surrogate pair would be stored as another character, and the row would differ on every import. U+FFFD is what a
 * decoder writes for bytes that are not UTF-8: a file in another encoding must not be imported.
 */
const validUnicode = v.check((text: string) => !/[\p{Surrogate}\uFFFD]/u.test(text), 'contains text that is not UTF-8');
/** The API refuses them, too: they break the output of programs that read the text later. */
const printable = v.check((text: string) => !/\p{Cc}/u.test(text), 'contains control characters');
/** Addresses from other systems often contain line ends and tabs. */
const printableLines = v.check((text: string) => !/(?![\t\n\r])\p{Cc}/u.test(text), 'contains control characters');
const maxLength = (max: number) =>
  v.check((text: string) => characterCount(text) <= max, `must be at most ${max} characters`);

export const text = (max: number) =>
  v.pipe(string, v.nonEmpty('must not be empty'), maxLength(max), validUnicode, printable);
export const textOrNull = (max: number) => v.nullable(text(max));
export const linesOrNull = (max: number) =>
  v.nullable(v.pipe(string, v.nonEmpty('must not be empty'), maxLength(max), validUnicode, printableLines));

/** Identifies a row or refers to one. */
export const name = (max: number) =>
  v.pipe(
    string,
    v.trim(),
    v.nonEmpty('must not be empty'),
    maxLength(max),
    validUnicode,
    v.check((code) => !controlCharacters.test(code), 'must be one line'),
  );
export const code = name(64);

/** A list with as many elements as the API takes. */
export const list = <Schema extends v.GenericSchema>(
  element: Schema,
  message: string,
  [min, max]: [number, number],
) => {
  const bounds = `must have ${min} to ${max} elements`;
  return v.pipe(v.array(element, message), v.minLength(min, bounds), v.maxLength(max, bounds));
};
export const codesOrNull = (max: number) => v.nullable(list(code, 'must be a list of codes, in CSV as JSON', [1, max]));

export const slug = v.pipe(
  string,
  maxLength(100),
  v.regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'must be lowercase letters and digits, separated by hyphens, such as grand-final-2026',
  ),
);

export const transferRule = v.picklist(['none', 'anyone'], 'must be none or anyone');
export const holderNames = v.picklist(['none', 'optional', 'required'], 'must be none, optional or required');
export const saleStatus = v.picklist(['active', 'inactive'], 'must be active or inactive');
export const flag = v.picklist([0, 1], 'must be 0 or 1');
export const boolean = v.boolean('must be true or false');

export const integer = (min: number, max: number) => {
  const message = `must be an integer from ${min} to ${max}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
};
export const id = integer(1, Number.MAX_SAFE_INTEGER);
export const orderBy = integer(-1_000_000_000, 1_000_000_000);
/** Ids contain the second of creation in 32 bits. */
export const createdUnix = integer(1, 2 ** 32 - 1);
export const unixOrNull = v.nullable(integer(0, 253_402_300_799));

/** The currency of a row may allow fewer decimals; its dataset checks that. */
const priceMessage = 'must be a number of at least 0 with at most three decimals, such as 240.5';
export const price = v.pipe(
  v.number(priceMessage),
  v.minValue(0, priceMessage),
  v.check((amount) => toThousandths(amount) !== undefined, priceMessage),
);

/** How many tickets or places exist. */
export const capacity = integer(0, 100_000_000);

const percentageMessage = 'must be a number from 0 to 100 with at most three decimals, such as 7.7';
export const percentage = v.pipe(
  v.number(percentageMessage),
  v.minValue(0, percentageMessage),
  v.maxValue(100, percentageMessage),
  v.check((percent) => toThousandths(percent) !== undefined, percentageMessage),
);

/** Rejects days that no calendar has, such as 30 February, which match the pattern. */
const isDay = (text: string): boolean => {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
};

const dateMessage = 'must be a date such as 1988-02-29';
export const dateOrNull = v.nullable(v.pipe(string, v.isoDate(dateMessage), v.check(isDay, dateMessage)));

const timeMessage = 'must be a time such as 2026-10-31T13:00:00Z';
export const time = v.pipe(string, v.isoTimestamp(timeMessage), v.check(isDay, timeMessage));
export const timeOrNull = v.nullable(time);

export const timezone = v.pipe(
  string,
  v.check((text) => timezoneType.parse(text) === text, `must be ${timezoneType.allowed}`),
);

export const currency = v.pipe(string, v.check(isCurrency, 'must be the code of a currency, such as AUD'));

export const addressOrNull = v.nullable(
  v.pipe(
    string,
    maxLength(2_000),
    v.check(
      (text) => /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''),
      'must be an http or https address',
    ),
  ),
);

export const colourOrNull = v.nullable(
  v.pipe(
    string,
    v.check((text) => colour.parse(text) !== undefined, `must be ${colour.allowed}`),
  ),
);

/** Checks only the form. Whether the mailbox exists is not known. */
export const emailOrNull = v.nullable(
  v.pipe(string, v.trim(), maxLength(254), validUnicode, v.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')),
);
