import { randomBytes } from 'node:crypto';

/** No letters that look like digits, so that a steward can type a barcode that a scanner cannot read. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 20;

/** 100 random bits: a valid barcode cannot be guessed, and no barcode is generated twice. */
export function newBarcode(): string {
  return Array.from(randomBytes(length), (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}
