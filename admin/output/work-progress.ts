import type { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import { type Done, paceSince } from './pace.ts';

export type Screen = Writable & { readonly isTTY?: boolean };

/** Shows how far a long command is. */
export interface WorkProgress {
  update(text: string, done: Done): void;
  /** Must be called, also after an error: a progress bar keeps the process alive. */
  end(): void;
}

export const noWorkProgress: WorkProgress = { update: () => undefined, end: () => undefined };

interface WorkOptions {
  /** Without a terminal, a line is printed after this many steps. */
  readonly stepsPerLine: number;
  /** Whether the number of steps per minute means something to an operator. */
  readonly showsRate?: boolean;
  readonly nowMs?: () => number;
}

/** A progress bar on a terminal, otherwise plain lines; with the rate, and the remaining time if it is known. */
export function showWork(screen: Screen, options: WorkOptions): WorkProgress {
  const { stepsPerLine, showsRate = true, nowMs = () => performance.now() } = options;
  const pace = paceSince(nowMs, showsRate);
  const textOf = (text: string, done: Done): string => [text, pace(done)].filter((part) => part !== '').join(', ');
  return screen.isTTY ? workBar(screen, textOf) : workLines(screen, stepsPerLine, textOf);
}

type TextOf = (text: string, done: Done) => string;

function workBar(screen: Screen, textOf: TextOf): WorkProgress {
  let bar: SingleBar | undefined;
  return {
    update(text, done) {
      if (bar === undefined) {
        const format = done.share === undefined ? '{text}' : '[{bar}] {percentage} %  {text}';
        // Cursor and line wrapping stay as they are: nothing would restore them after Ctrl-C.
        const options = { stream: screen, format, barsize: 30, clearOnComplete: true, linewrap: true };
        bar = new SingleBar({ ...options, barCompleteChar: '#', barIncompleteChar: '.' });
        bar.start(1, 0, { text: '' });
      }
      bar.update(done.share ?? 0, { text: textOf(text, done) });
    },
    end: () => bar?.stop(),
  };
}

function workLines(screen: Screen, stepsPerLine: number, textOf: TextOf): WorkProgress {
  let nextLineAt = stepsPerLine;
  return {
    update(text, done) {
      if (done.count < nextLineAt) return;
      screen.write(`${textOf(text, done)}\n`);
      nextLineAt = done.count - (done.count % stepsPerLine) + stepsPerLine;
    },
    end: () => undefined,
  };
}
