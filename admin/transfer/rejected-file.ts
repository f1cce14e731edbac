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

const maxReasons = 20;

/** The reasons of the first rejected rows. A file with a wrong column has as many as it has rows. */
export function firstReasons(): (rejected: readonly Rejected[]) => readonly string[] {
  let reported = 0;
  return (rejected) => {
    const reasons = rejected.slice(0, maxReasons - reported).map(({ line, reason }) => `line ${line}: ${reason}`);
    const isLast = reported < maxReasons && reported + reasons.length === maxReasons;
    reported += reasons.length;
    return isLast ? [...reasons, 'Further rejected rows are only in the file.'] : reasons;
  };
}
