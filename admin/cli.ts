import type { Readable, Writable } from 'node:stream';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Table } from '../shared/data/table/table.ts';
import type { TokenSigner } from '../shared/http/auth/sign-token.ts';
import type { Clock } from '../shared/platform/clock.ts';
import { as, line, oneOf } from './arguments.ts';
import { defaultStage, stages } from './connection.ts';

export const programName = 'npm run admin --';

/** The streams of the process, for commands that read rows from or write rows to another program. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

interface Output {
  /** Prints the result of a command: the document with --json, otherwise the text. */
  show(document: object, text: string): void;
}

/** What an action works with, once the command line is parsed and the table is open. */
export interface Context extends Output {
  readonly table: Table;
  /** What signs new keys and tokens. It is read only by the commands that sign. */
  signer(): Promise<TokenSigner>;
  /** The deployed stage, for commands that also change its functions; undefined for the local run, and for a table that was named. */
  readonly stage: string | undefined;
  /** The time of the stage. It is the only clock of a command: `npm run clock` moves that of the local run. */
  readonly clock: Clock;
  /** Identifies this run of the CLI in the log of everything that its changes lead to, as a Request-Id does for a client. */
  readonly requestId: string;
  readonly isJson: boolean;
  readonly streams: Streams;
  /** The folder in which the local run leaves its files. */
  readonly localFolder: string;
}

/** What an action works with that needs a stage, but not its table. */
export interface StageContext extends Output {
  /** Makes a change outside the table, such as that of a secret, after it has recorded who makes it. */
  change<Result>(write: () => Result | Promise<Result>): Promise<Result>;
  readonly stage: string;
  /** The file with the public signing keys of all stages. */
  readonly publicKeysFile: string;
}

/** What the groups of commands are built with. */
export interface Cli {
  readonly stdout: Streams['stdout'];
  /** Opens the table and runs the action on it. Called after all arguments are checked. */
  run(action: (context: Context) => Promise<void>): Promise<void>;
  /** Runs an action that works without a deployed stack. */
  runOnStage(action: (context: StageContext) => Promise<void>): Promise<void>;
}

export type Program = ReturnType<typeof newProgram>;

/** The program without its commands. They inherit its settings, so these come first. */
export function newProgram({ stdout }: Pick<Cli, 'stdout'>) {
  return new Command(programName)
    .description('The operator CLI of Gateline. It works on the table, with your own AWS credentials.')
    .addOption(
      new Option('--stage <stage>', `Use the table of this stage: ${stages.join(' or ')} (default: ${defaultStage}).`)
        .argParser(as(oneOf(stages)))
        .conflicts(['table', 'local']),
    )
    .addOption(
      new Option('--table <name>', 'Use the table with this name. Same as the variable GATELINE_TABLE.')
        .argParser(as(line(255)))
        .conflicts(['stage', 'local']),
    )
    .option('--local', 'Use the table of the local run (npm start).')
    .addOption(
      new Option(
        '--by <name>',
        'Who makes the change (default: the variable GATELINE_OPERATOR, or the user of this machine).',
      ).argParser(as(line(100))),
    )
    .option('--json', 'Print the result as one JSON document, errors as JSON on stderr. Use npm run --silent.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand('help [command]', 'Show the help of a command.')
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // The caller prints errors, because --json changes their form.
      writeErr: () => undefined,
      getOutHelpWidth: () => stdout.columns ?? 100,
    })
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong command line.');
}

/** Ends the help of a command with an example. */
export function example(commandLine: string): string {
  return `\nExample:\n  ${programName} ${commandLine}`;
}

/** A command and all commands below it. */
export function* commandsOf(command: CommandUnknownOpts): Generator<CommandUnknownOpts> {
  yield command;
  for (const child of command.commands) yield* commandsOf(child);
}
