import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './barcode-hash.ts';
import type { EventTicket } from './gate-api.ts';

export type Direction = 'in' | 'out';
/** `recorded`: the service decided. `refused`: the service does not take such a scan. All others are decisions of the gate. */
export type LocalResult =
  | 'ok'
  | 'out'
  | 'already_scanned'
  | 'invalid'
  | 'cancelled'
  | 'refunded'
  | 'unpaid'
  | 'expired'
  | 'transferred'
  | 'recorded'
  | 'refused';

export interface LocalScan {
  readonly nonce: string;
  readonly barcode: string;
  readonly direction: Direction;
  readonly scannedUnix: number;
  readonly result: LocalResult;
}

/** A reading of the list. */
interface Reading {
  /** When it began, by the service's clock. */
  readonly syncedUnix: number;
  /** How far that clock was ahead of the device's. Absent in files of before. */
  readonly aheadSeconds?: number;
}

interface TicketsFile extends Reading {
  readonly tickets: readonly EventTicket[];
}

type JournalLine =
  | { readonly kind: 'scan'; readonly scan: LocalScan; readonly isInside?: boolean | undefined }
  | { readonly kind: 'uploaded'; readonly nonce: string; readonly difference?: object | undefined }
  | { readonly kind: 'set_aside'; readonly nonce: string; readonly reason: string };

/**
 * What a gate keeps on its disk: a copy of the tickets, and a journal of its scans to which it only appends. After a restart the
 * journal says who is inside and which scans are not reported yet.
 */
export class GateFiles {
  readonly tickets = new Map<string, EventTicket>();
  /** The hashes of the barcodes whose holders went in and not out again, as far as this gate knows. */
  readonly inside = new Set<string>();
  reading: Reading | undefined;
  readonly #pending = new Map<string, LocalScan>();
  readonly #ticketsPath: string;
  readonly #journalPath: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#ticketsPath = join(folder, 'tickets.json');
    this.#journalPath = join(folder, 'journal.jsonl');
    if (existsSync(this.#ticketsPath)) {
      const { tickets, ...reading } = JSON.parse(readFileSync(this.#ticketsPath, 'utf8')) as TicketsFile;
      this.reading = reading;
      for (const ticket of tickets) this.tickets.set(ticket.barcode_sha256, ticket);
    }
    if (existsSync(this.#journalPath)) for (const line of this.#journalLines()) this.#apply(line);
  }

  get pending(): readonly LocalScan[] {
    return [...this.#pending.values()];
  }

  /** Writes a new file and renames it, so a crash leaves the old copy or the new one. */
  saveTickets(changed: readonly EventTicket[], reading: Reading): void {
    for (const ticket of changed) this.tickets.set(ticket.barcode_sha256, ticket);
    this.reading = reading;
    const file: TicketsFile = { ...reading, tickets: [...this.tickets.values()] };
    const next = `${this.#ticketsPath}.new`;
    writeDurably(next, 'w', JSON.stringify(file));
    renameSync(next, this.#ticketsPath);
  }

  appendScan(scan: LocalScan, { isInside }: { readonly isInside: boolean | undefined }): void {
    this.#append({ kind: 'scan', scan, isInside });
  }

  markUploaded(nonce: string, difference: object | undefined): void {
    this.#append({ kind: 'uploaded', nonce, difference });
  }

  /** The service will never record this scan. It stays in the journal with the reason, and no longer holds up the others. */
  setAside(nonce: string, reason: string): void {
    this.#append({ kind: 'set_aside', nonce, reason });
  }

  #append(line: JournalLine): void {
    writeDurably(this.#journalPath, 'a', `${JSON.stringify(line)}\n`);
    this.#apply(line);
  }

  #apply(line: JournalLine): void {
    if (line.kind !== 'scan') {
      this.#pending.delete(line.nonce);
      return;
    }
    const { scan, isInside } = line;
    if (scan.result !== 'recorded') this.#pending.set(scan.nonce, scan);
    if (isInside === true) this.inside.add(hashOf(scan.barcode));
    if (isInside === false) this.inside.delete(hashOf(scan.barcode));
  }

  /** The last line may be incomplete after a power cut: then its scan was not admitted yet. */
  #journalLines(): JournalLine[] {
    return readFileSync(this.#journalPath, 'utf8')
      .split('\n')
      .flatMap((text) => {
        try {
          return text === '' ? [] : [JSON.parse(text) as JournalLine];
        } catch {
          return [];
        }
      });
  }
}

function writeDurably(path: string, flags: 'a' | 'w', text: string): void {
  const file = openSync(path, flags);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
