import { randomUUID } from 'node:crypto';
import { hashOf } from './barcode-hash.ts';
import { type EventTicket, GateApi, type RecordedScan, Refused, Unreachable } from './gate-api.ts';
import { type Direction, GateFiles, type LocalResult, type LocalScan } from './gate-files.ts';

export interface GateOptions {
  /** The base URL of the API, such as https://api.example.com. */
  readonly url: string;
  /** A gate token that was issued with --offline. */
  readonly token: string;
  readonly eventId: string;
  readonly gateId: number;
  /** Where the gate keeps tickets and scans. Each device has its own. */
  readonly folder: string;
  /** The clock of the device. */
  readonly nowUnix?: () => number;
  /** How long a scan waits for the service before the gate decides alone: 1.5 seconds, unless something else is said. */
  readonly liveTimeoutMs?: number;
}

/** What the gate shows for a barcode. `offline` says that the gate decided alone. */
export interface Decision {
  readonly admitted: boolean;
  readonly result: string;
  readonly offline: boolean;
  /** Why the service does not take this scan, such as a cancelled event. */
  readonly reason?: string;
}

/**
 * A scan on which the service decided otherwise, because another gate was first or the ticket was refunded meanwhile, or which it
 * does not take at all (`refused`, with the reason).
 */
export interface Difference {
  readonly nonce: string;
  readonly barcode: string;
  readonly local: LocalResult;
  readonly recorded: string;
  readonly reason?: string;
}

type Report =
  | { readonly outcome: 'recorded'; readonly result: string }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unreachable' };

/** Changes of the last minute may not have been visible in the previous reading, so they are read again. */
const overlapSeconds = 60;
const uploadTimeoutMs = 10_000;
const pageSize = 2_500;

/**
 * A gate that works without a connection. It asks the service about each barcode while it can. If the service does not respond, it
 * decides from its own copy of the tickets. Every scan is written to the disk before the gate opens, and reported with the same
 * nonce until the service has recorded it, so no scan is lost and none counts twice.
 */
export class Gate {
  readonly #api: GateApi;
  readonly #files: GateFiles;
  readonly #eventId: string;
  readonly #gateId: number;
  readonly #liveTimeoutMs: number;

  constructor({ url, token, eventId, gateId, folder, nowUnix, liveTimeoutMs = 1_500 }: GateOptions) {
    this.#api = new GateApi(url, token, nowUnix ?? (() => Math.floor(Date.now() / 1000)));
    this.#files = new GateFiles(folder);
    this.#api.aheadSeconds = this.#files.reading?.aheadSeconds ?? 0;
    this.#eventId = eventId;
    this.#gateId = gateId;
    this.#liveTimeoutMs = liveTimeoutMs;
  }

  get ticketCount(): number {
    return this.#files.tickets.size;
  }

  get pendingCount(): number {
    return this.#files.pending.length;
  }

  /** Reads all tickets the first time, and afterwards what changed. An interrupted reading changes nothing. */
  async sync(): Promise<number> {
    // A file of before says when it was read by the device's clock, which may have been wrong: everything is read again.
    const reading = this.#files.reading?.aheadSeconds === undefined ? undefined : this.#files.reading;
    const since = reading === undefined ? '' : `&updated_since=${Math.max(0, reading.syncedUnix - overlapSeconds)}`;
    let syncedUnix: number | undefined;
    const read: EventTicket[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/v1/events/${this.#eventId}/tickets?limit=${pageSize}${since}${after}`;
      const page = await this.#api.tickets(path);
      // The time of the first answer, by the service's clock.
      syncedUnix ??= this.#api.nowUnix();
      read.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    this.#files.saveTickets(read, { syncedUnix, aheadSeconds: this.#api.aheadSeconds });
    return read.length;
  }

  async scan(barcode: string, direction: Direction = 'in'): Promise<Decision> {
    const scan = { nonce: randomUUID(), barcode, direction, scannedUnix: this.#api.nowUnix() };
    // The scans of a gate are reported in their order: an entry that the service does not know yet must come first.
    const report: Report =
      this.pendingCount === 0 ? await this.#report(scan, this.#liveTimeoutMs) : { outcome: 'unreachable' };
    if (report.outcome === 'recorded') {
      const { result } = report;
      this.#files.appendScan({ ...scan, result: 'recorded' }, { isInside: insideAfter(result) });
      return { admitted: isAdmitted(result), result, offline: false };
    }
    if (report.outcome === 'refused') {
      const { reason } = report;
      this.#files.appendScan({ ...scan, result: 'refused' }, { isInside: undefined });
      this.#files.setAside(scan.nonce, reason);
      return { admitted: false, result: 'refused', offline: false, reason };
    }
    const result = this.#decide(barcode, direction, scan.scannedUnix);
    this.#files.appendScan({ ...scan, result }, { isInside: insideAfter(result) });
    return { admitted: isAdmitted(result), result, offline: true };
  }

  /**
   * Reports the scans that were decided offline, oldest first. Stops when the service does not respond. A scan that the service
   * refuses is set aside with the reason, so the later ones are reported.
   */
  async upload(): Promise<readonly Difference[]> {
    const differences: Difference[] = [];
    for (const scan of [...this.#files.pending]) {
      const { nonce, barcode, result: local } = scan;
      const report = await this.#report(scan, uploadTimeoutMs);
      if (report.outcome === 'unreachable') break;
      if (report.outcome === 'refused') {
        this.#files.setAside(nonce, report.reason);
        differences.push({ nonce, barcode, local, recorded: 'refused', reason: report.reason });
        continue;
      }
      const difference = { nonce, barcode, local, recorded: report.result };
      if (report.result !== local) differences.push(difference);
      this.#files.markUploaded(nonce, report.result === local ? undefined : difference);
    }
    return differences;
  }

  /** A service that did not respond may have recorded the scan anyway: the nonce decides later. */
  async #report(scan: Omit<LocalScan, 'result'>, timeoutMs: number): Promise<Report> {
    const { barcode, direction, nonce, scannedUnix } = scan;
    // The clock of the device may have been ahead without a connection, and no scan is in the future.
    const scanned_at = Math.min(scannedUnix, this.#api.nowUnix());
    const body = { barcode, direction, nonce, gate_id: this.#gateId, scanned_at };
    try {
      const { result }: RecordedScan = await this.#api.recordScan(`/v1/events/${this.#eventId}/scans`, body, timeoutMs);
      return { outcome: 'recorded', result };
    } catch (error) {
      if (error instanceof Refused) return { outcome: 'refused', reason: error.message };
      if (error instanceof Unreachable) return { outcome: 'unreachable' };
      throw error;
    }
  }

  /** Decides as the service does, from what this gate knows. */
  #decide(barcode: string, direction: Direction, nowUnix: number): LocalResult {
    const key = hashOf(barcode);
    const ticket = this.#files.tickets.get(key);
    if (ticket === undefined) return 'invalid';
    if (ticket.transferred === true) return 'transferred';
    if (ticket.ticket_status_id === 3) return 'refunded';
    if (ticket.ticket_status_id === 2) return 'cancelled';
    if (ticket.ticket_status_id === 0) return 'unpaid';
    if (direction === 'out') return 'out';
    if (ticket.expires !== null && ticket.expires <= nowUnix) return 'expired';
    return this.#files.inside.has(key) ? 'already_scanned' : 'ok';
  }
}

const isAdmitted = (result: string): boolean => result === 'ok' || result === 'out';

/** Whether the holder is inside after a scan; undefined if the scan does not say. */
function insideAfter(result: string): boolean | undefined {
  if (result === 'ok' || result === 'already_scanned') return true;
  return result === 'out' ? false : undefined;
}
