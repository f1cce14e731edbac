import { randomUUID } from 'node:crypto';
import { hashOf } from './barcode-hash.ts';
import { type EventTicket, GateApi, isUnreachable, type RecordedScan } from './gate-api.ts';
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
  readonly nowUnix?: () => number;
}

/** What the gate shows for a barcode. `offline` says that the gate decided alone. */
export interface Decision {
  readonly admitted: boolean;
  readonly result: string;
  readonly offline: boolean;
}

/** A scan on which the service decided otherwise, because another gate was first or the ticket was refunded meanwhile. */
export interface Difference {
  readonly nonce: string;
  readonly barcode: string;
  readonly local: LocalResult;
  readonly recorded: string;
}

/** Changes of the last minute may not have been visible in the previous reading, so they are read again. */
const overlapSeconds = 60;
const liveTimeoutMs = 1_500;
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
  readonly #nowUnix: () => number;

  constructor({ url, token, eventId, gateId, folder, nowUnix }: GateOptions) {
    this.#api = new GateApi(url, token);
    this.#files = new GateFiles(folder);
    this.#eventId = eventId;
    this.#gateId = gateId;
    this.#nowUnix = nowUnix ?? (() => Math.floor(Date.now() / 1000));
  }

  get ticketCount(): number {
    return this.#files.tickets.size;
  }

  get pendingCount(): number {
    return this.#files.pending.length;
  }

  /** Reads all tickets the first time, and afterwards what changed. An interrupted reading changes nothing. */
  async sync(): Promise<number> {
    const startedUnix = this.#nowUnix();
    const { syncedUnix } = this.#files;
    const since = syncedUnix === undefined ? '' : `&updated_since=${Math.max(0, syncedUnix - overlapSeconds)}`;
    const read: EventTicket[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/v1/events/${this.#eventId}/tickets?limit=${pageSize}${since}${after}`;
      const page = await this.#api.tickets(path);
      read.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    this.#files.saveTickets(read, startedUnix);
    return read.length;
  }

  async scan(barcode: string, direction: Direction = 'in'): Promise<Decision> {
    const scan = { nonce: randomUUID(), barcode, direction, scannedUnix: this.#nowUnix() };
    // The scans of a gate are reported in their order: an entry that the service does not know yet must come first.
    if (this.pendingCount === 0) {
      const recorded = await this.#report(scan, liveTimeoutMs);
      if (recorded !== undefined) {
        this.#files.appendScan({ ...scan, result: 'recorded' }, { isInside: isInside(recorded) });
        return { admitted: isAdmitted(recorded.result), result: recorded.result, offline: false };
      }
    }
    const result = this.#decide(barcode, direction, scan.scannedUnix);
    this.#files.appendScan({ ...scan, result }, { isInside: insideAfter(result) });
    return { admitted: isAdmitted(result), result, offline: true };
  }

  /** Reports the scans that were decided offline, oldest first. Stops when the service does not respond. */
  async upload(): Promise<readonly Difference[]> {
    const differences: Difference[] = [];
    for (const scan of [...this.#files.pending]) {
      const recorded = await this.#report(scan, uploadTimeoutMs);
      if (recorded === undefined) break;
      const difference = { nonce: scan.nonce, barcode: scan.barcode, local: scan.result, recorded: recorded.result };
      if (recorded.result !== scan.result) differences.push(difference);
      this.#files.markUploaded(scan.nonce, recorded.result === scan.result ? undefined : difference);
    }
    return differences;
  }

  /** Undefined if the service did not respond. It may have recorded the scan anyway: the nonce decides later. */
  async #report(scan: Omit<LocalScan, 'result'>, timeoutMs: number): Promise<RecordedScan | undefined> {
    const { barcode, direction, nonce, scannedUnix } = scan;
    const body = { barcode, direction, nonce, gate_id: this.#gateId, scanned_at: scannedUnix };
    try {
      return await this.#api.recordScan(`/v1/events/${this.#eventId}/scans`, body, timeoutMs);
    } catch (error) {
      if (isUnreachable(error)) return undefined;
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

const isInside = ({ result }: RecordedScan): boolean | undefined => insideAfter(result);
