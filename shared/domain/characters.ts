/**
 * The rules of texts that clients send, as parts of regular expressions. They name every character, because `\s`, `\p` and
 * flags differ between the languages of the clients that read them in the OpenAPI document.
 */

/** Control characters, and U+FFFD, which a decoder inserts for bytes that are not UTF-8. */
export const controlCharacters = '\\u0000-\\u001F\\u007F-\\u009F\\uFFFD';

/** White space that is not a control character. */
export const spaces = ' \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF';

/** Marks that turn the direction in which the text after them is written, and can make a name look like another. */
export const directionMarks = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';

/** The length of a text in characters, as JSON Schema and people count it: an emoji is one, not two as in JavaScript. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
