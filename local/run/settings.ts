import { accessSync, chmodSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A start that a person can fix. The message is printed without a stack. */
export class StartError extends Error {}

const demos = ['full', 'none'] as const;
const physics = ['none', 'aws'] as const;

export interface Settings {
  readonly port: number;
  readonly data: 'memory' | { readonly folder: string };
  /** Whether a new table gets the demo's people. The demo's organisations and keys always exist. */
  readonly demo: (typeof demos)[number];
  /** Whether the table behaves as on AWS: conflicts of transactions, throttling, latency. */
  readonly physics: (typeof physics)[number];
  /** The folder for this run's address and the operator's connection. */
  readonly localFolder: string;
}

export function readSettings(environment: NodeJS.ProcessEnv, directory: string): Settings {
  const localFolder = resolve(directory, '.local');
  // An empty variable counts as unset, because scripts often pass unset variables on as empty ones.
  const port = environment.PORT || '3000';
  const data = environment.GATELINE_DATA || resolve(localFolder, 'data');
  const demo = demos.find((known) => known === (environment.GATELINE_DEMO || 'full'));
  if (demo === undefined) {
    throw new StartError(`GATELINE_DEMO must be ${demos.join(' or ')}, not ${environment.GATELINE_DEMO}.`);
  }
  const chosen = physics.find((known) => known === (environment.GATELINE_PHYSICS || 'none'));
  if (chosen === undefined) {
    throw new StartError(`GATELINE_PHYSICS must be ${physics.join(' or ')}, not ${environment.GATELINE_PHYSICS}.`);
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new StartError(`PORT must be a number from 0 to 65535, not ${port}.`);
  }
  makeFolder(localFolder);
  // It holds keys, and an installation or an earlier version may have made it readable for everyone.
  chmodSync(localFolder, 0o700);
  if (data === 'memory') return { port: Number(port), data, demo, physics: chosen, localFolder };
  const folder = resolve(directory, data);
  makeFolder(folder);
  return { port: Number(port), data: { folder }, demo, physics: chosen, localFolder };
}

/** Whether `npm start` also starts the sample shop. Any other argument is a mistake that a default would hide. */
export function wantsShop(args: readonly string[]): boolean {
  const unknown = args.find((argument) => argument !== '--no-shop');
  if (unknown !== undefined)
    throw new StartError(
      `npm start does not know ${unknown}. Its only argument is --no-shop; everything else is set by environment variables, such as PORT=4000 npm start.`,
    );
  return args.length === 0;
}

function makeFolder(folder: string): void {
  try {
    makeWithParents(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new StartError(
      `The folder ${folder} is not writable (${reason}). Set GATELINE_DATA to another folder, or to memory.`,
    );
  }
}

/** Does not use Node's `recursive` option, which never returns where a folder cannot be created in an existing one, as in /proc. */
function makeWithParents(folder: string): void {
  if (existsSync(folder)) return;
  makeWithParents(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
