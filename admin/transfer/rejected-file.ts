import { appendFileSync, rmSync, statSync, truncateSync } from 'node:fs';

export interface Rejected {
  readonly line: number;
  readonly reason: string;
  /** The row as it was read; undefined if it cannot be read. */
  readonly row?: Readonly<Record<string, unknown>>;
}

/** The rows that were not imported, one JSON object per line. It contains personal data: only its owner may read it. */
export class RejectedFile {
  readonly name: string;
  #bytes = 0;

  constructor(name: string) {
    this.name = name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Removes the rows that an interrupted import wrote after its last checkpoint: they will be imported again. */
  startAt(bytes: number): void {
    const size = statSync(this.name, { throwIfNoEntry: false })?.size ?? 0;
    // The operator may have removed rows from the file since then.
    this.#bytes = Math.min(bytes, size);
    if (this.#bytes === 0) rmSync(this.name, { force: true });
    else truncateSync(this.name, this.#bytes);
  }

  append(rejected: readonly Rejected[]): void {
    if (rejected.length === 0) return;
    const text = rejected.map((row) => `${JSON.stringify(row)}\n`).join('');
    appendFileSync(this.name, text, { mode: 0o600 });
    this.#bytes += Buffer.byteLength(text);
  }
}
