import { randomInt } from 'node:crypto';

/** Without I, L, O and U, so a person can type what cannot be scanned. */
export const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A random text of five bits for each character. */
export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
