import type { NewEntry } from '../entry.ts';
import type { AddressGiven } from '../money-moves.ts';
import { headOf, nothingSold } from './parts.ts';

/** An entry without lines. None if nothing is left of what the receipt says. */
export function invoiceAddressEntry({ order }: AddressGiven): NewEntry | undefined {
  const { totalMinor, refundedMinor, writtenOffMinor = 0 } = order;
  if (totalMinor - refundedMinor - writtenOffMinor <= 0) return undefined;
  return { ...nothingSold, ...headOf('invoice_address', order), money: {} };
}
