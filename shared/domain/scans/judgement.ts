import type { TicketRecord } from '../orders/order.ts';
import { type Direction, nobodyKnown, type Scan, type ScanFacts, type ScanResult, ticketFacts } from './scan.ts';

/** Somebody went through a gate. */
export interface Passage {
  /** Never before that of the passage before it. */
  readonly atUnix: number;
  readonly direction: Direction;
  /** Of its scan. */
  readonly sortKey: string;
}

/** What is recorded of one ticket, or of one member at one event: in the order in which it happened. */
export interface PassageLog {
  readonly passages: readonly Passage[];
  /** The scan that first let it in; null until then. */
  readonly firstSortKey: string | null;
}

export const noPassages: PassageLog = { passages: [], firstSortKey: null };

/** Whom a barcode admits, as far as the judgement needs to know: a ticket, a member, or nobody. */
export interface ScanSubject {
  readonly facts: ScanFacts;
  /** Why it is not let in whatever happened before: a ticket that is refunded, a member who has not paid, the wrong gate. */
  readonly refusal: Exclude<ScanResult, 'ok'> | undefined;
  readonly log: PassageLog;
  /** The price whose attendance it counts for, when it is let in for the first time; a member counts for none. */
  readonly attendsPrice: number | undefined;
}

export const unknownSubject: ScanSubject = {
  facts: nobodyKnown,
  refusal: 'invalid',
  log: noPassages,
  attendsPrice: undefined,
};

const refusalOfStatus = { 0: 'unpaid', 1: undefined, 2: 'cancelled', 3: 'refunded' } as const;

export function ticketSubject(ticket: TicketRecord, log: PassageLog, { eventId }: Pick<Scan, 'eventId'>): ScanSubject {
  return {
    facts: ticketFacts(ticket),
    refusal: ticket.eventId === eventId ? refusalOfStatus[ticket.status] : 'wrong_event',
    log,
    attendsPrice: ticket.priceIndex,
  };
}

export interface ScanEvaluation {
  readonly result: ScanResult;
  /** The log with this passage; the same log when nobody passed. */
  readonly log: PassageLog;
  /** The price that has one more ticket attending. */
  readonly attendedPrice: number | undefined;
}

/** A report that took longer than this was not sent when the barcode was read: the gate was offline. */
const liveSeconds = 60;
/** Nobody goes in and out thirty times; whoever tries is not let in again, and the log stays small. */
const maxPassages = 60;

/**
 * Whether a reading lets somebody through. What was answered before stands: a live reading comes after everything recorded,
 * whatever the gates' clocks say, and a late one is put where its time belongs, and let in only if nobody is inside before
 * it and nobody was let in after it without going out. Going out is never refused to a ticket that is valid.
 */
export function evaluateScan(subject: ScanSubject, scan: Scan, sortKey: string): ScanEvaluation {
  const { refusal, log } = subject;
  const refused = (result: ScanResult): ScanEvaluation => ({ result, log, attendedPrice: undefined });
  if (refusal !== undefined) return refused(refusal);
  if (scan.direction === 'out') return letThrough(subject, scan, sortKey);
  const { passages } = log;
  const index = indexFor(passages, scan);
  const isInside = passages[index - 1]?.direction === 'in' || passages[index]?.direction === 'in';
  return isInside || passages.length >= maxPassages ? refused('already_scanned') : letThrough(subject, scan, sortKey);
}

/** A reading of the past, whose result was given then: it is recorded, not judged. */
export function acceptScan(subject: ScanSubject, scan: Scan, sortKey: string, result: ScanResult): ScanEvaluation {
  return result === 'ok' ? letThrough(subject, scan, sortKey) : { result, log: subject.log, attendedPrice: undefined };
}

function letThrough({ log, attendsPrice }: ScanSubject, scan: Scan, sortKey: string): ScanEvaluation {
  const { passages, firstSortKey } = log;
  const index = indexFor(passages, scan);
  const atUnix = Math.max(scan.scannedUnix, passages[index - 1]?.atUnix ?? 0);
  const { direction } = scan;
  const isFirst = direction === 'in' && firstSortKey === null;
  return {
    result: 'ok',
    log: {
      passages: shortened(passages.toSpliced(index, 0, { atUnix, direction, sortKey })),
      firstSortKey: isFirst ? sortKey : firstSortKey,
    },
    attendedPrice: isFirst ? attendsPrice : undefined,
  };
}

/** Where in the log a reading belongs. */
function indexFor(passages: readonly Passage[], { scannedUnix, receivedMs }: Scan): number {
  if (receivedMs / 1000 - scannedUnix <= liveSeconds) return passages.length;
  return passages.filter(({ atUnix }) => atUnix <= scannedUnix).length;
}

/** Between two readings on the way out a third one tells nothing. */
function shortened(passages: readonly Passage[]): readonly Passage[] {
  const isOut = (passage: Passage | undefined): boolean => passage?.direction === 'out';
  return passages
    .filter((passage, index) => !(isOut(passage) && isOut(passages[index - 1]) && isOut(passages[index + 1])))
    .slice(0, maxPassages);
}
