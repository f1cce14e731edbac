import type { Writable } from 'node:stream';
import type { Counts } from './counts.ts';
import type { Rejected } from './rejects.ts';

export interface BatchReport {
  readonly counts: Counts;
  readonly rejected: readonly Rejected[];
  /** How much of the file is done, 0 to 1; undefined where that is not known. */
  readonly share: number | undefined;
}

/** Tells the operator how an import goes on. */
export interface Reporter {
  batch(report: BatchReport): void;
  end(): void;
}

export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number };

const maxReasons = 20;
const rowsPerLine = 5_000;
const barWidth = 30;

/** A bar that is drawn over and over on a terminal; elsewhere a line now and then. Reasons come in both, the first ones. */
export function reporterFor(screen: Screen): Reporter {
  let told = 0;
  let lineAt = rowsPerLine;
  const clear = screen.isTTY ? '\r\u001b[K' : '';
  const reason = ({ line, reason: text }: Rejected): void => {
    told += 1;
    if (told <= maxReasons) screen.write(`${clear}line ${line}: ${text}\n`);
    if (told === maxReasons) screen.write('Further rejected rows are only in the file.\n');
  };
  return {
    batch({ counts, rejected, share }) {
      for (const row of rejected) reason(row);
      if (screen.isTTY) {
        screen.write(`${clear}${bar(share)}${rowsText(counts)}`);
      } else if (counts.read >= lineAt) {
        screen.write(`${rowsText(counts)}\n`);
        lineAt = counts.read - (counts.read % rowsPerLine) + rowsPerLine;
      }
    },
    end: () => {
      if (screen.isTTY) screen.write(clear);
    },
  };
}

export const silentReporter: Reporter = { batch: () => undefined, end: () => undefined };

function bar(share: number | undefined): string {
  if (share === undefined) return '';
  const filled = Math.round(Math.min(share, 1) * barWidth);
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %  `;
}

function rowsText({ read, rejected }: Counts): string {
  return `${read} rows${rejected === 0 ? '' : `, ${rejected} rejected`}`;
}
