import * as v from 'valibot';
import { characterCount, controlCharacters, directionMarks, spaces } from '../../domain/characters.ts';
import { emailPattern } from '../../domain/customers/customer.ts';
import { isCalendarDay } from '../../domain/time/calendar-day.ts';
import { Id } from './fields.ts';

/** The characters of every text in a body that has no pattern of its own (shared/http/input/forbidden-characters.ts). */
export const bodyTextPattern = `^[^${controlCharacters}]*$`;

/** The characters of every text in a query. No stored text contains NUL or U+FFFD, so a query with them is a mistake. */
export const queryTextPattern = '^[^\\u0000\\uFFFD]*$';

/** `v.maxLength` counts UTF-16 units. In the OpenAPI document, `maxLength` means characters. */
export const maxCharacters = (most: number) =>
  [
    v.check((value: string) => characterCount(value) <= most),
    v.metadata<string, { maxLength: number }>({ maxLength: most }),
  ] as const;

export const text = (most: number) => v.pipe(v.string(), v.minLength(1), ...maxCharacters(most));

/** The name of a person. Only spaces are not a name. */
export const nameText = (most: number) =>
  v.pipe(
    text(most),
    v.regex(
      new RegExp(`^[${spaces}]*[^${spaces}${controlCharacters}][^${controlCharacters}]*$`),
      'a UTF-8 string without control characters that is not only spaces',
    ),
  );

/** A name that stewards compare with a document: it cannot change the direction of the text around it. */
export const printedName = (most: number) =>
  v.pipe(
    text(most),
    v.regex(
      new RegExp(
        `^[${spaces}]*[^${spaces}${controlCharacters}${directionMarks}][^${controlCharacters}${directionMarks}]*$`,
      ),
      'a UTF-8 string without control characters and marks of direction that is not only spaces',
    ),
  );

/** The form of an email address. Whether the mailbox exists shows when a message is sent. */
export const emailText = (most: number) =>
  v.pipe(text(most), v.regex(emailPattern, 'an email address'), v.metadata({ format: 'idn-email' }));

/** A text that is stored unchanged, even with control characters, but not blank: what a gate reads. All other texts are typed by people. */
export const barcodeText = (most: number) =>
  v.pipe(text(most), v.regex(new RegExp(`[^${spaces}${controlCharacters}]`), 'a barcode that is not blank'));

const queryCharacter = '[^\\u0000\\uFFFD]';
/** The same in a query, whose texts have no NUL characters. */
export const barcodeInQuery = (most: number) =>
  v.pipe(
    text(most),
    v.regex(
      new RegExp(`^${queryCharacter}*[^${spaces}${controlCharacters}]${queryCharacter}*$`),
      'a barcode that is not blank',
    ),
  );

/** The id of an object in a body, as a number or as text. */
export const IdOrText = v.union([text(100), Id]);

/** An id as a number, or as its digits. The limit is the largest that a short pattern can state, and no id reaches it. */
export const IdOrDigits = v.union([
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8_999_999_999_999_999)),
  v.pipe(v.string(), v.regex(/^(?:[1-9][0-9]{0,14}|[1-8][0-9]{15})$/, 'an id in digits')),
]);

const hostLabel = `[^${controlCharacters}${spaces}!-,./:-@\\[-^\`{-~]+`;
const urlRest = `(?::[0-9]{1,5})?(?:[/?#][^${controlCharacters}${spaces}]*)?`;
/** Only the service on one machine sends to http, and there only to the same machine. */
const loopback = 'http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])';

/** A URL that receives webhooks. What a pattern cannot say, shared/webhooks/address-guard.ts checks: that the host is public. */
export const UrlText = v.pipe(
  text(2_048),
  v.regex(
    new RegExp(`^(?:https://(?:${hostLabel}(?:\\.${hostLabel})*\\.?|\\[[0-9A-Fa-f:.]+\\])|${loopback})${urlRest}$`),
    'an https URL such as https://hooks.example.com/gateline, without spaces, a user name or a password',
  ),
  v.metadata({ format: 'iri' }),
);

const aDay = 'a date such as 1988-02-29';
/** A day, YYYY-MM-DD. */
export const Day = v.pipe(v.string(), v.isoDate(aDay), v.check(isCalendarDay, aDay));
