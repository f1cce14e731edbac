import type { Writable } from 'node:stream';
import { MultiBar, type SingleBar } from 'cli-progress';
import { paceSince } from '../output/pace.ts';
import { printable } from '../output/text.ts';
import type { Counts } from './counts.ts';
import type { Rejected } from './rejected-file.ts';

export interface BatchReport {
  readonly counts: Counts;
  readonly rejected: readonly Rejected[];
  /** The part of the file that was read, from 0 to 1; undefined if its size is unknown. */
  readonly share: number | undefined;
}

/** Shows the progress of an import. */
export interface Progress {
  batch(report: BatchReport): void;
  /** Must be called, also after an error: a progress bar keeps the process alive. */
  end(): void;
}

export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export const noProgress: Progress = { batch: () => undefined, end: () => undefined };

/** A progress bar on a terminal, otherwise plain lines. The first rejected rows are reported in both. */
export function showProgress(screen: Screen, nowMs: () => number = () => performance.now()): Progress {
  const pace = paceSince(nowMs);
  const rowsOf = ({ counts, share }: BatchReport): string => rowsText(counts, pace({ count: counts.read, share }));
  return screen.isTTY ? progressBar(screen, rowsOf) : progressLines(screen, rowsOf);
}

type RowsOf = (report: BatchReport) => string;

function progressBar(screen: Screen, rowsOf: RowsOf): Progress {
  // Cursor and line wrapping stay as they are: nothing would restore them after Ctrl-C.
  const bars = new MultiBar({ stream: screen, barsize: 30, clearOnComplete: true, linewrap: true });
  const reasonsFor = firstReasons();
  let bar: SingleBar | undefined;
  return {
    batch(report) {
      const { rejected, share } = report;
      const format = share === undefined ? '{rows}' : '[{bar}] {percentage} %  {rows}';
      bar ??= bars.create(1, 0, { rows: '' }, { format, barCompleteChar: '#', barIncompleteChar: '.' });
      bar.update(share ?? 0, { rows: rowsOf(report) });
      for (const reason of reasonsFor(rejected)) bars.log(`${reason}\n`);
      bars.update();
    },
    end: () => bars.stop(),
  };
}

const rowsPerLine = 5_000;

function progressLines(screen: Screen, rowsOf: RowsOf): Progress {
  const reasonsFor = firstReasons();
  let nextLineAt = rowsPerLine;
  return {
    batch(report) {
      const { counts, rejected } = report;
      for (const reason of reasonsFor(rejected)) screen.write(`${reason}\n`);
      if (counts.read < nextLineAt) return;
      screen.write(`${rowsOf(report)}\n`);
      nextLineAt = counts.read - (counts.read % rowsPerLine) + rowsPerLine;
    },
    end: () => undefined,
  };
}

const maxReasons = 20;

/** The reasons of the first rejected rows. A file with a wrong column has as many as it has rows. */
function firstReasons(): (rejected: readonly Rejected[]) => string[] {
  let reported = 0;
  return (rejected) => {
    const reasons = rejected.slice(0, maxReasons - reported).map(({ line, reason }) => `line ${line}: ${reason}`);
    const isLast = reported < maxReasons && reported + reasons.length === maxReasons;
    reported += reasons.length;
    return [...reasons, ...(isLast ? ['Further rejected rows are only in the file.'] : [])].map(printable);
  };
}

function rowsText({ read, rejected }: Counts, pace: string): string {
  const parts = [`${read} rows`, ...(rejected === 0 ? [] : [`${rejected} rejected`]), ...(pace === '' ? [] : [pace])];
  return parts.join(', ');
}
