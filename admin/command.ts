import type { Readable, Writable } from 'node:stream';
import type { Table } from '../shared/data/table/table.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { Arguments } from './arguments.ts';

export interface Output {
  /** The one answer of a command: a document for scripts, and the same for people. */
  show(document: object, text: string): void;
}

/** The streams of the process, for commands whose rows come from or go to another program. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Where people watch: progress is drawn over and over only on a terminal. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

export interface Context {
  readonly table: Table;
  readonly clock: Clock;
  readonly out: Output;
  readonly streams: Streams;
  /** Where the local run leaves what others look for. */
  readonly localFolder: string;
}

export type Action = (context: Context) => Promise<void>;

export interface Positional {
  /** As the help shows it, such as `org_id`. */
  readonly name: string;
  readonly help: string;
  /** Only the last ones may be left out. */
  readonly optional?: true;
}

export interface Option {
  /** Without its dashes, such as `background-color`. */
  readonly name: string;
  /** What stands for the value in the help, such as `COLOUR`. A flag has none. */
  readonly value?: string;
  readonly help: string;
  readonly required?: true;
}

export interface Command {
  /** One word, or two where a group has several things to work on: `provider add`. */
  readonly name: string;
  readonly summary: string;
  readonly positionals: readonly Positional[];
  readonly options: readonly Option[];
  /** What follows `npm run admin -- `. */
  readonly example: string;
  /** Reads and checks every argument before anything is connected, so that a typo costs nothing. */
  prepare(args: Arguments, clock: Clock): Action;
}

export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Command[];
}
