import { dirname } from 'node:path';
import type { Clock } from '../shared/platform/clock.ts';
import { parseArguments } from './arguments.ts';
import type { Command, Group, Output, Streams } from './command.ts';
import { connect, readDestination } from './connection/connection.ts';
import { usageError } from './failure.ts';
import { groups } from './groups.ts';
import { commandHelp, commonOptions, groupHelp, program, programHelp } from './help.ts';
import { failureOf } from './unexpected-failure.ts';

export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Where the local run says how to reach its table. */
  readonly localFile: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly streams: Streams;
}

/** Runs one command line and answers its exit code. */
export async function runAdmin(argv: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  try {
    await obey(argv, surroundings);
    return 0;
  } catch (error) {
    const { code, message, argument, exitCode } = failureOf(error);
    // The command line may be what is wrong, so this looks for the flag itself.
    if (argv.includes('--json')) {
      surroundings.stderr(JSON.stringify({ error: { code, message, argument: argument ?? null } }));
    } else {
      surroundings.stderr(exitCode === 2 ? `${message}\nHelp: ${program} ${helpFor(argv)}` : message);
    }
    return exitCode;
  }
}

async function obey(argv: readonly string[], surroundings: Surroundings): Promise<void> {
  const [groupName, ...words] = argv;
  const wantsHelp = argv.includes('--help');
  if (groupName === undefined || groupName.startsWith('-')) {
    if (wantsHelp) return surroundings.stdout(programHelp(groups));
    throw usageError(`Name a group: ${namesOf(groups)}.`);
  }
  const group = groups.find(({ name }) => name === groupName);
  if (group === undefined) throw usageError(`There is no group "${groupName}". Groups: ${namesOf(groups)}.`, groupName);
  if (words[0] === undefined || words[0].startsWith('-')) {
    if (wantsHelp) return surroundings.stdout(groupHelp(group));
    throw usageError(`Name a command of ${group.name}: ${namesOf(group.commands)}.`);
  }
  const command = commandOf(group, words);
  if (command === undefined) {
    throw usageError(`${group.name} has no command "${words[0]}". Commands: ${namesOf(group.commands)}.`, words[0]);
  }
  if (wantsHelp) return surroundings.stdout(commandHelp(group, command));
  await carryOut(command, words.slice(command.name.split(' ').length), surroundings);
}

async function carryOut(command: Command, argv: readonly string[], surroundings: Surroundings): Promise<void> {
  const { clock, environment, localFile, stdout, streams } = surroundings;
  const { positionals, options } = command;
  const args = parseArguments(argv, { positionals, options: [...options, ...commonOptions] });
  const action = command.prepare(args, clock);
  const destination = readDestination(args, environment);

  const table = await connect(destination, localFile);
  const asJson = args.has('json');
  const out: Output = { show: (document, text) => stdout(asJson ? JSON.stringify(document, null, 2) : text) };
  try {
    await action({ table, clock, out, streams, localFolder: dirname(localFile) });
  } finally {
    table.client.destroy();
  }
}

/** The command whose one or two words come first. */
function commandOf({ commands }: Group, words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => word === words[index]));
}

function namesOf(things: readonly { readonly name: string }[]): string {
  return things.map(({ name }) => name).join(', ');
}

/** The words of the command line that are known, so that the help is that of the command which was meant. */
function helpFor([groupName, ...words]: readonly string[]): string {
  const group: Group | undefined = groups.find(({ name }) => name === groupName);
  const command = group && commandOf(group, words);
  return [group?.name, command?.name, '--help'].filter((word) => word !== undefined).join(' ');
}
