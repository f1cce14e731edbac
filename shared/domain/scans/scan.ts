import type { TicketRecord } from '../orders/order.ts';
import { recordedSecondText } from '../time/time-buckets.ts';

/**
 * `ok` is an admission, so counting `ok` counts admissions. `out` is a passage on the way out. All others are refusals.
 */
export const scanResults = [
  'ok',
  'out',
  'already_scanned',
  'invalid',
  'cancelled',
  'refunded',
  'unpaid',
  'expired',
  'no_access',
  'wrong_event',
  'wrong_gate',
  'no_entries_left',
  'transferred',
] as const;
export type ScanResult = (typeof scanResults)[number];

export type ScanRefusal = Exclude<ScanResult, 'ok' | 'out'>;

export type Direction = 'in' | 'out';

/**
 * The text of a barcode as it is looked up: scanners add line ends and other control characters around it, and some read
 * lower-case letters as upper-case ones.
 */
export function normalizeBarcode(text: string): string {
  return trimBarcode(text).toUpperCase();
}

/** The barcode without white space and control characters around it. */
export function trimBarcode(text: string): string {
  return text.replaceAll(/^[\s\p{Cc}]+|[\s\p{Cc}]+$/gu, '');
}

/** Offline gates may report scans this late. For the same time the nonce of a scan is kept. */
export const maxScanAgeSeconds = 14 * 86_400;

/** One scan of a barcode, as a gate reports it. */
export interface Scan {
  /** The event at which the gate is, whatever the barcode is for. */
  readonly eventId: number;
  readonly barcode: string;
  readonly gateId: number | null;
  readonly gate: string | null;
  readonly direction: Direction;
  /** When the gate read the barcode, by the gate's own clock. */
  readonly scannedUnix: number;
  /** When the report arrived. */
  readonly receivedMs: number;
}

/** What the list of scans shows about the ticket or member of a barcode, at the time of the scan. */
export interface ScanFacts {
  readonly ticketName: string | null;
  readonly orderId: number | null;
  readonly ticketId: number | null;
  /** Whose card it is, because the barcode changes when a card is replaced. Scans of earlier releases do not say it. */
  readonly memberId: number | null;
  /** The customer whose card it was then, because a membership may move to somebody else. */
  readonly userId: number | null;
  /** The price category. */
  readonly categoryId: number | null;
  readonly membershipCategoryId: number | null;
  readonly categoryTitle: string | null;
  readonly priceTitle: string | null;
  readonly emailAddress: string | null;
  readonly sectionLabel: string | null;
  readonly seatRow: string | null;
  readonly seatTitle: string | null;
}

export interface ScanRecord extends ScanFacts, Omit<Scan, 'receivedMs'> {
  readonly result: ScanResult;
  /** The sort key among the scans of the event: by the time of the scan, then by arrival. */
  readonly sortKey: string;
}

/** The facts of a barcode that belongs to no ticket and no member. */
export const unknownFacts: ScanFacts = {
  ticketName: null,
  orderId: null,
  ticketId: null,
  memberId: null,
  userId: null,
  categoryId: null,
  membershipCategoryId: null,
  categoryTitle: null,
  priceTitle: null,
  emailAddress: null,
  sectionLabel: null,
  seatRow: null,
  seatTitle: null,
};

export function ticketFacts(ticket: TicketRecord): ScanFacts {
  const { ticketName, orderId, ticketId, categoryId, categoryTitle, priceTitle, emailAddress } = ticket;
  const { sectionLabel, seatRow, seatTitle } = ticket;
  return {
    ...unknownFacts,
    ticketName,
    orderId,
    ticketId,
    categoryId,
    categoryTitle,
    priceTitle,
    emailAddress,
    sectionLabel,
    seatRow,
    seatTitle,
  };
}

const arrivalDigits = 9;

/** Sorted by the time of the scan, then by its arrival. The suffix distinguishes scans that arrive in the same millisecond. */
export function scanSortKey({ scannedUnix, receivedMs }: Scan, suffix: string): string {
  return `${recordedSecondText(scannedUnix)}#${receivedMs.toString(36).padStart(arrivalDigits, '0')}${suffix}`;
}

/** A report that arrives later than this was not sent at the time of the scan: the gate was offline. */
const liveSeconds = 60;

export function isLateScan({ scannedUnix, receivedMs }: Pick<Scan, 'scannedUnix' | 'receivedMs'>): boolean {
  return receivedMs / 1000 - scannedUnix > liveSeconds;
}

/** When the report of a recorded scan arrived. */
export function receivedMsOf({ sortKey }: Pick<ScanRecord, 'sortKey'>): number {
  const arrival = sortKey.slice(sortKey.indexOf('#') + 1).slice(0, arrivalDigits);
  return Number.parseInt(arrival, 36);
}
