import * as v from 'valibot';
import { minorUnits } from '../../shared/domain/money.ts';
import { colour, timezone as zone } from '../arguments.ts';

/** The kinds of columns. Each complaint is the end of a sentence that begins with the column's name. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const controlCharacters = /[\u0000-\u001f\u007f]/;

const string = v.string('must be text');
/**
 * Half a character would be stored as another one, so that the row would differ on every import. U+FFFD is what a reader
 * puts where bytes are no UTF-8: names of a file in another encoding must not be imported as garbage.
 */
const whole = v.check((text: string) => !/[\p{Surrogate}\uFFFD]/u.test(text), 'holds something that is not UTF-8');
/** Line ends and tabs are a habit of address lines; the others do things to the terminal of whoever looks at the row. */
const harmless = v.check((text: string) => !/(?![\t\n\r])\p{Cc}/u.test(text), 'holds control characters');
const within = (max: number) => v.maxLength<string, number, string>(max, `must be at most ${max} characters`);

export const text = (max: number) => v.pipe(string, v.nonEmpty('must not be empty'), within(max), whole, harmless);
export const textOrNull = (max: number) => v.nullable(text(max));

/** What identifies a row or refers to one. */
export const name = (max: number) =>
  v.pipe(
    string,
    v.trim(),
    v.nonEmpty('must not be empty'),
    within(max),
    whole,
    v.check((code) => !controlCharacters.test(code), 'must be one line'),
  );
export const code = name(64);

export const slug = v.pipe(
  string,
  within(100),
  v.regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'must be small letters and digits with hyphens between, such as grand-final-2026',
  ),
);

export const onSale = v.picklist(['active', 'inactive'], 'must be active or inactive');
export const flag = v.picklist([0, 1], 'must be 0 or 1');
export const truth = v.boolean('must be true or false');

export const integer = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
};
export const id = integer(1, Number.MAX_SAFE_INTEGER);
export const orderBy = integer(-1_000_000_000, 1_000_000_000);
/** Ids hold the second of creation in 32 bits. */
export const createdUnix = integer(1, 2 ** 32 - 1);
export const unixOrNull = v.nullable(integer(0, 253_402_300_799));

const priceMessage = 'must be a decimal number of at most two digits after the point, such as 240.5, and not negative';
export const price = v.pipe(
  v.number(priceMessage),
  v.minValue(0, priceMessage),
  v.check((amount) => minorUnits(amount) !== undefined, priceMessage),
);

/** No calendar has a 30 February, though a pattern lets it pass. */
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
  v.check((text) => zone.parse(text) === text, `must be ${zone.allowed}`),
);

/** Amounts are kept in hundredths, so a currency without them, or with thousandths, would be ten or a hundred times wrong. */
const currencyMessage = 'must be the code of a currency with two decimals, such as AUD';
export const currency = v.pipe(
  string,
  v.check((text) => Intl.supportedValuesOf('currency').includes(text) && decimalsOf(text) === 2, currencyMessage),
);

function decimalsOf(currencyCode: string): number | undefined {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode });
  return format.resolvedOptions().maximumFractionDigits;
}

export const addressOrNull = v.nullable(
  v.pipe(
    string,
    within(2_000),
    v.check((text) => /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''), 'must be a web address'),
  ),
);

export const colourOrNull = v.nullable(
  v.pipe(
    string,
    v.check((text) => colour.parse(text) !== undefined, `must be ${colour.allowed}`),
  ),
);

/** Only the form: whether a post box is behind it shows when something is sent there. */
export const emailOrNull = v.nullable(
  v.pipe(string, v.trim(), within(254), whole, v.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')),
);
