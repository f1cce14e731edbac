import { parseArgs } from 'node:util';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { failureOf, usageError } from '../failure.ts';
import { printable } from '../output/text.ts';
import { agentKey } from './agent-key.ts';
import { approvalsIn } from './approvals.ts';
import { isProfileName, type ProfileName, profiles } from './profiles.ts';
import { agentServer } from './server.ts';
import { findStage, stageNames } from './stage.ts';

const profileNames = Object.keys(profiles).join('|');

const usage = `npm run --silent mcp -- --profile ${profileNames} [--stage ${stageNames.join('|')}] [--show-people]

A Model Context Protocol server on stdin and stdout: an assistant calls operations of the API as tools.
--profile      what the assistant is for; it sees no other operation
--stage        the stage (default: local); a deployed one needs GATELINE_AGENT_KEY
--show-people  do not mask names, addresses and other data of people`;

interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly localFolder: string;
  readonly transport: Transport;
  printError(line: string): void;
}

/** Starts the server. Returns the exit code of a start that failed; a server that runs has none yet. */
export async function startMcp(argv: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2 | undefined> {
  const { localFolder, transport, printError } = surroundings;
  try {
    const values = readOptions(argv);
    if (values.help) {
      printError(usage);
      return 0;
    }
    const name = profileOf(values.profile);
    const stage = await findStage(values.stage, localFolder);
    const key = await agentKey(stage, name, surroundings);
    const approvals = approvalsIn(localFolder, () => Date.now());
    const settings = { stage, key, profile: profiles[name], showPeople: values['show-people'], approvals };
    await agentServer(settings).connect(transport);
    return undefined;
  } catch (error) {
    const { message, exitCode } = failureOf(error);
    printError(printable(message));
    return exitCode;
  }
}

function readOptions(argv: readonly string[]) {
  const options = {
    profile: { type: 'string' },
    stage: { type: 'string', default: 'local' },
    'show-people': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

function profileOf(name: string | undefined): ProfileName {
  if (name !== undefined && isProfileName(name)) return name;
  const what = name === undefined ? 'Set --profile.' : `There is no profile ${name}.`;
  throw usageError(`${what} Use --profile ${profileNames}.`, '--profile');
}
