import { randomText } from './random-text.ts';

/** The barcode of a new ticket or member: 90 random bits, which cannot be guessed and are never drawn twice. */
export const newBarcode = (): string => randomText(18);
