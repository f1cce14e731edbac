import { randomInt } from 'node:crypto';

/** Without I, L, O and U, so a steward can type a barcode that a scanner cannot read. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 18;

/** The barcode of a new ticket or member: 90 random bits, which cannot be guessed and are never drawn twice. */
export function newBarcode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
