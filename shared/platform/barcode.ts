import { randomBytes } from 'node:crypto';

/** Without letters that are read as digits, so that a steward can type what a scanner cannot read. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 20;

/** 100 random bits: nobody guesses one that admits, and none is drawn twice. */
export function newBarcode(): string {
  return Array.from(randomBytes(length), (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}
