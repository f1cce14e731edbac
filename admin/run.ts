import { dirname } from 'node:path';
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ulid } from 'ulid';
import type { Clock } from '../shared/platform/clock.ts';
import { type Context, programName, type StageContext, type Streams } from './cli.ts';
import { type ConnectionOptions, connect, defaultStage, type TableSurroundings, tableOfStage } from './connection.ts';
import { failureOf, usageError } from './failure.ts';
import { printable } from './output/text.ts';
import { createProgram } from './program.ts';
import { operatorOf, type Run, recordingChanges, recordingStageChanges } from './record-change.ts';

export interface Surroundings extends TableSurroundings {
  readonly clock: Clock;
  /** The file with the public signing keys of all stages. */
  readonly publicKeysFile: string;
  readonly streams: Streams;
}

/** Runs one command line and returns its exit code. */
export async function runAdmin(argv: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  const { streams } = surroundings;
  const program = createProgram({
    stdout: streams.stdout,
    run: (action) => runConnected(action, { ...program.opts(), command: running }, surroundings),
    runOnStage: (action) => runOnStage(action, { ...program.opts(), command: running }, surroundings),
  });
  let running: CommandUnknownOpts | undefined;
  program.hook('preAction', (_program, command) => {
    running = command;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { code, message, argument, exitCode } = failureOf(error);
    // The command line may be wrong, so this looks for the flag without parsing it.
    if (argv.includes('--json')) {
      streams.stderr.write(`${JSON.stringify({ error: { code, message, argument: argument ?? null } })}\n`);
    } else {
      const help =
        exitCode === 2 ? `\nHelp: ${programName} ${[...commandPath(program, argv), '--help'].join(' ')}` : '';
      streams.stderr.write(`${printable(message + help)}\n`);
    }
    return exitCode;
  }
}

interface Options extends ConnectionOptions {
  readonly json?: true | undefined;
  readonly by?: string | undefined;
  readonly command?: CommandUnknownOpts | undefined;
}

async function runConnected(
  action: (context: Context) => Promise<void>,
  options: Options,
  surroundings: Surroundings,
): Promise<void> {
  const { clock: machineClock, localFile, streams } = surroundings;
  const { table, signer, stage, aheadMs } = await connect(options, surroundings);
  const clock = { nowMs: () => machineClock.nowMs() + aheadMs };
  const output = outputOf(options, streams);
  try {
    const run = runOf(options, surroundings, clock);
    const { requestId } = run;
    const context = { table, signer, stage, clock, requestId, ...output, streams, localFolder: dirname(localFile) };
    await recordingChanges(table, run, () => action(context));
  } finally {
    table.client.destroy();
  }
}

async function runOnStage(
  action: (context: StageContext) => Promise<void>,
  options: Options,
  surroundings: Surroundings,
): Promise<void> {
  const { publicKeysFile, streams, clock } = surroundings;
  if (options.local || options.table !== undefined) {
    throw usageError('This command works on a stage: use --stage. The local run has a signing key of its own.');
  }
  const stage = options.stage ?? defaultStage;
  const context = { stage, publicKeysFile, ...outputOf(options, streams) };
  const run = runOf(options, surroundings, clock);
  await recordingStageChanges(
    () => tableOfStage(stage),
    run,
    (change) => action({ ...context, change }),
  );
}

function runOf({ by, command }: Options, { environment }: Surroundings, clock: Clock): Run {
  return { command, by: operatorOf(by, environment), requestId: `cli_${ulid(clock.nowMs())}`, clock };
}

function outputOf({ json }: Options, { stdout }: Streams) {
  const isJson = json === true;
  return {
    isJson,
    show(document: object, text: string): void {
      stdout.write(`${isJson ? JSON.stringify(document, null, 2) : printable(text)}\n`);
    },
  };
}

/** The words of the command line that name a command, so the advice is to read the help of this command. */
function commandPath(command: CommandUnknownOpts, [word, ...words]: readonly string[]): string[] {
  const child = command.commands.find((candidate) => candidate.name() === word);
  return child === undefined ? [] : [child.name(), ...commandPath(child, words)];
}
