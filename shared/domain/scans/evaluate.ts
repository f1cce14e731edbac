import type { TicketRecord } from '../orders/order.ts';
import {
  type Direction,
  isLateScan,
  type Scan,
  type ScanFacts,
  type ScanRefusal,
  type ScanResult,
  ticketFacts,
  unknownFacts,
} from './scan.ts';

/** A person passed a gate, in or out. */
export interface Passage {
  /** Never earlier than that of the previous passage. */
  readonly atUnix: number;
  readonly direction: Direction;
  /** The sort key of its scan. */
  readonly sortKey: string;
}

/** The passages of one ticket, or of one member at one event, in the order in which they happened. */
export interface PassageLog {
  readonly passages: readonly Passage[];
  /** The sort key of the scan that first admitted the ticket or member; null until then. */
  readonly firstSortKey: string | null;
}

/** Whether a gate has admitted the ticket, or let it out. */
export const wasAtGate = ({ firstSortKey, passages }: PassageLog): boolean =>
  firstSortKey !== null || passages.length > 0;

export const noPassages: PassageLog = { passages: [], firstSortKey: null };

/** The ticket or member of a barcode, with what the evaluation of a scan needs to know. */
export interface ScanSubject {
  /** Its barcode as it was issued, which a scanner may read in other letters; null if it is unknown. */
  readonly barcode: string | null;
  readonly facts: ScanFacts;
  /** Why it is refused regardless of earlier scans: a refunded ticket, a member who has not paid, the wrong gate. */
  readonly refusal: ScanRefusal | undefined;
  readonly log: PassageLog;
  /** The price whose attendance grows when a ticket is admitted for the first time; undefined for a member. */
  readonly attendsPrice: number | undefined;
}

export const unknownSubject: ScanSubject = {
  barcode: null,
  facts: unknownFacts,
  refusal: 'invalid',
  log: noPassages,
  attendsPrice: undefined,
};

const refusalByStatus = { 0: 'unpaid', 1: undefined, 2: 'cancelled', 3: 'refunded' } as const;

export function ticketSubject(ticket: TicketRecord, log: PassageLog, { eventId }: Pick<Scan, 'eventId'>): ScanSubject {
  return {
    barcode: ticket.barcode,
    facts: ticketFacts(ticket),
    refusal: ticket.eventId === eventId ? refusalByStatus[ticket.status] : 'wrong_event',
    log,
    attendsPrice: ticket.priceIndex,
  };
}

export interface ScanEvaluation {
  readonly result: ScanResult;
  /** The log with this passage; the same object if there was no passage. */
  readonly log: PassageLog;
  /** The price whose attendance grows by one. */
  readonly attendedPrice: number | undefined;
}

/** A person who goes in and out thirty times is not admitted again, so the log stays small. */
const maxPassages = 60;

/**
 * Decides the result of a scan. Earlier results never change. A live scan comes after everything that is recorded, whatever
 * the clocks of the gates say. A late scan is inserted at its own time, and admitted only if the ticket or member was not
 * inside before it and did not enter after it. A valid ticket is never refused on the way out.
 */
export function evaluateScan(subject: ScanSubject, scan: Scan, sortKey: string): ScanEvaluation {
  const { refusal, log } = subject;
  const refused = (result: ScanResult): ScanEvaluation => ({ result, log, attendedPrice: undefined });
  if (refusal !== undefined) return refused(refusal);
  if (scan.direction === 'out') return allowPassage(subject, scan, sortKey);
  const { passages } = log;
  const index = passageIndex(passages, scan);
  const isInside = passages[index - 1]?.direction === 'in' || passages[index]?.direction === 'in';
  return isInside || passages.length >= maxPassages ? refused('already_scanned') : allowPassage(subject, scan, sortKey);
}

/**
 * Accepts an imported scan, whose result was decided in the past: it is recorded without evaluation. At another event than its
 * own, a ticket passes no gate.
 */
export function acceptScan(subject: ScanSubject, scan: Scan, sortKey: string, result: ScanResult): ScanEvaluation {
  return (result === 'ok' || result === 'out') && subject.refusal !== 'wrong_event'
    ? allowPassage(subject, scan, sortKey)
    : { result, log: subject.log, attendedPrice: undefined };
}

function allowPassage({ log, attendsPrice }: ScanSubject, scan: Scan, sortKey: string): ScanEvaluation {
  const { passages, firstSortKey } = log;
  const index = passageIndex(passages, scan);
  const atUnix = Math.max(scan.scannedUnix, passages[index - 1]?.atUnix ?? 0);
  const { direction } = scan;
  const isFirst = direction === 'in' && firstSortKey === null;
  return {
    result: direction === 'out' ? 'out' : 'ok',
    log: {
      passages: withoutRedundantExits(passages.toSpliced(index, 0, { atUnix, direction, sortKey })),
      firstSortKey: isFirst ? sortKey : firstSortKey,
    },
    attendedPrice: isFirst ? attendsPrice : undefined,
  };
}

/** Returns the index in the log at which a scan is inserted. */
function passageIndex(passages: readonly Passage[], scan: Scan): number {
  if (!isLateScan(scan)) return passages.length;
  return passages.filter(({ atUnix }) => atUnix <= scan.scannedUnix).length;
}

/** Removes an exit between two other exits, because it adds no information. */
function withoutRedundantExits(passages: readonly Passage[]): readonly Passage[] {
  const isOut = (passage: Passage | undefined): boolean => passage?.direction === 'out';
  return passages
    .filter((passage, index) => !(isOut(passage) && isOut(passages[index - 1]) && isOut(passages[index + 1])))
    .slice(0, maxPassages);
}
