import type { TicketRecord } from '../orders/order.ts';
import { recordedSecondText } from '../time/time-buckets.ts';

export const scanResults = [
  'ok',
  'already_scanned',
  'invalid',
  'cancelled',
  'refunded',
  'unpaid',
  'wrong_event',
  'wrong_gate',
] as const;
export type ScanResult = (typeof scanResults)[number];

export type Direction = 'in' | 'out';

/** Gates send again what they could not send for a few days at most: for so long a reading is known by its nonce, and taken. */
export const lateSeconds = 14 * 86_400;

/** One reading of a barcode, as a gate reports it. */
export interface Scan {
  /** Where the gate stands, whatever the barcode is for. */
  readonly eventId: number;
  readonly barcode: string;
  readonly gateId: number | null;
  readonly gate: string | null;
  readonly direction: Direction;
  /** When the gate read it, by the gate's own clock. */
  readonly scannedUnix: number;
  /** When the report arrived. */
  readonly receivedMs: number;
}

/** What the scan list tells of the ticket or member that a barcode belongs to, as of the reading. */
export interface ScanFacts {
  readonly ticketName: string | null;
  readonly orderId: number | null;
  readonly ticketId: number | null;
  /** The price category. */
  readonly categoryId: number | null;
  readonly membershipCategoryId: number | null;
  readonly categoryTitle: string | null;
  readonly priceTitle: string | null;
  readonly emailAddress: string | null;
}

export interface ScanRecord extends ScanFacts, Omit<Scan, 'receivedMs'> {
  readonly result: ScanResult;
  /** Where the scan stands among those of its event: by the time of the reading, then by arrival. */
  readonly sortKey: string;
}

/** Of a barcode that nobody knows, nothing can be told. */
export const nobodyKnown: ScanFacts = {
  ticketName: null,
  orderId: null,
  ticketId: null,
  categoryId: null,
  membershipCategoryId: null,
  categoryTitle: null,
  priceTitle: null,
  emailAddress: null,
};

export function ticketFacts(ticket: TicketRecord): ScanFacts {
  const { ticketName, orderId, ticketId, categoryId, categoryTitle, priceTitle, emailAddress } = ticket;
  return { ...nobodyKnown, ticketName, orderId, ticketId, categoryId, categoryTitle, priceTitle, emailAddress };
}

const arrivalDigits = 9;

/** By the time of the reading, then by that of its arrival; what arrives in the same millisecond differs in the mark. */
export function scanSortKey({ scannedUnix, receivedMs }: Scan, mark: string): string {
  return `${recordedSecondText(scannedUnix)}#${receivedMs.toString(36).padStart(arrivalDigits, '0')}${mark}`;
}
