import { randomInt } from 'node:crypto';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { orderIdStep } from '../../domain/orders/order.ts';

/** Returns an id for a basket and its later order. The numbers after it are free for the ids of the tickets. */
export function generateOrderId(nowUnix: number): number {
  return idOf(nowUnix, randomInt(idsPerSecond / orderIdStep) * orderIdStep);
}

/** Without I, L, O and U, so that a barcode that a steward reads aloud is typed in correctly. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const barcodeLength = 18;

/** Returns the barcode of a new ticket: 90 random bits, which cannot be guessed. */
export function generateBarcode(): string {
  return Array.from({ length: barcodeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}
