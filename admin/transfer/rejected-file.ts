import { appendFileSync, rmSync } from 'node:fs';

export interface Rejected {
  readonly line: number;
  readonly reason: string;
  /** The row as it was read; undefined if it cannot be read. */
  readonly row?: Readonly<Record<string, unknown>>;
}

/** The rows that were not imported, one JSON object per line. It contains personal data: only its owner may read it. */
export class RejectedFile {
  readonly #name: string;

  /** Removes the rows of an earlier import. */
  constructor(name: string) {
    this.#name = name;
    rmSync(name, { force: true });
  }

  append(rejected: readonly Rejected[]): void {
    if (rejected.length === 0) return;
    appendFileSync(this.#name, rejected.map((row) => `${JSON.stringify(row)}\n`).join(''), { mode: 0o600 });
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
