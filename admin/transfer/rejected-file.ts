import { appendFileSync, rmSync, statSync, truncateSync } from 'node:fs';

export interface Rejected {
  readonly line: number;
  readonly reason: string;
  /** The row as it was read, where it could be read at all. */
  readonly row?: Readonly<Record<string, unknown>>;
}

/** The rows that were not imported, one JSON object per line. It holds people's data, so only its owner may read it. */
export class RejectedFile {
  readonly name: string;
  #bytes = 0;

  constructor(name: string) {
    this.name = name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Drops what an earlier run wrote after its last checkpoint: those rows are about to come again. */
  startAt(bytes: number): void {
    const size = statSync(this.name, { throwIfNoEntry: false })?.size ?? 0;
    // Whoever has taken rows out of the file meanwhile has taken note of them.
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
