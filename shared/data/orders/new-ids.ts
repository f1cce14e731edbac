import { randomInt } from 'node:crypto';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { orderIdStep } from '../../domain/orders/order.ts';

/** An id for a basket and the order it may become, with room behind it for the tickets' ids. */
export function drawOrderId(nowUnix: number): number {
  return idOf(nowUnix, randomInt(idsPerSecond / orderIdStep) * orderIdStep);
}

/** No I, L, O and U: what a steward reads aloud is what is typed in. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const barcodeLength = 18;

/** The barcode of a new ticket: 90 random bits that nobody can guess. */
export function drawBarcode(): string {
  return Array.from({ length: barcodeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}
