import type { Writable } from 'node:stream';
import { MultiBar, type SingleBar } from 'cli-progress';
import { printable } from './text.ts';

export type Screen = Writable & { readonly isTTY?: boolean };

/** How much of a long command is done. */
export interface Done {
  /** Rows, or other steps. */
  readonly count: number;
  /** The part of the whole, from 0 to 1; undefined if the whole is unknown. */
  readonly share: number | undefined;
}

/** Shows how far a long command is. */
export interface Progress {
  update(text: string, done: Done): void;
  /** A line that stays. */
  note(line: string): void;
  /** Must be called, also after an error: a progress bar keeps the process alive. */
  end(): void;
}

export const noProgress: Progress = { update: () => undefined, note: () => undefined, end: () => undefined };

interface ProgressOptions {
  /** Without a terminal, a line is printed after this many steps. */
  readonly stepsPerLine: number;
  /** Whether the number of steps per minute means something to an operator. */
  readonly showsRate?: boolean;
  readonly nowMs?: () => number;
}

/** A progress bar on a terminal, otherwise plain lines; with the rate, and the remaining time if it is known. */
export function showProgress(screen: Screen, options: ProgressOptions): Progress {
  const { stepsPerLine, showsRate = true, nowMs = () => performance.now() } = options;
  const pace = paceSince(nowMs, showsRate);
  const textOf = (text: string, done: Done): string => [text, pace(done)].filter((part) => part !== '').join(', ');
  return screen.isTTY ? progressBar(screen, textOf) : progressLines(screen, stepsPerLine, textOf);
}

type TextOf = (text: string, done: Done) => string;

function progressBar(screen: Screen, textOf: TextOf): Progress {
  // Cursor and line wrapping stay as they are: nothing would restore them after Ctrl-C.
  const bars = new MultiBar({ stream: screen, barsize: 30, clearOnComplete: true, linewrap: true });
  let bar: SingleBar | undefined;
  return {
    update(text, done) {
      const format = done.share === undefined ? '{text}' : '[{bar}] {percentage} %  {text}';
      bar ??= bars.create(1, 0, { text: '' }, { format, barCompleteChar: '#', barIncompleteChar: '.' });
      bar.update(done.share ?? 0, { text: textOf(text, done) });
      bars.update();
    },
    note(line) {
      bars.log(`${printable(line)}\n`);
      bars.update();
    },
    end: () => bars.stop(),
  };
}

function progressLines(screen: Screen, stepsPerLine: number, textOf: TextOf): Progress {
  let nextLineAt = stepsPerLine;
  return {
    update(text, done) {
      if (done.count < nextLineAt) return;
      screen.write(`${textOf(text, done)}\n`);
      nextLineAt = done.count - (done.count % stepsPerLine) + stepsPerLine;
    },
    note: (line) => void screen.write(`${printable(line)}\n`),
    end: () => undefined,
  };
}

/** Before this, a rate says little. */
const leastMs = 1_000;

/** Returns a function that says how fast a command is and how long it will still take: `5700 a minute, 2 min left`. */
function paceSince(nowMs: () => number, showsRate: boolean): (done: Done) => string {
  const startMs = nowMs();
  return ({ count, share }) => {
    const elapsedMs = nowMs() - startMs;
    if (elapsedMs < leastMs) return '';
    const rate = showsRate ? [`${Math.round((count / elapsedMs) * 60_000)} a minute`] : [];
    const left = share ? [`${durationText((elapsedMs * (1 - share)) / share)} left`] : [];
    return [...rate, ...left].join(', ');
  };
}

/** `40 s`, `3 min`, `2 h 5 min`. */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
