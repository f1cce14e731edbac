import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A reason not to start that its reader can do something about: shown as one line. */
export class CannotStart extends Error {}

const demos = ['full', 'none'] as const;

export interface Settings {
  readonly port: number;
  readonly data: 'memory' | { readonly folder: string };
  /** Whether new data begins with the people of the demo; its organisations and keys are always there. */
  readonly demo: (typeof demos)[number];
  /** Where this run leaves what others look for: its address, the operator's connection, the synthesized stack. */
  readonly localFolder: string;
}

export function readSettings(environment: NodeJS.ProcessEnv, directory: string): Settings {
  const localFolder = resolve(directory, '.local');
  // Set but empty is what an unset variable of a script looks like from here.
  const port = environment.PORT || '3000';
  const data = environment.GATELINE_DATA || resolve(localFolder, 'data');
  const demo = demos.find((known) => known === (environment.GATELINE_DEMO || 'full'));
  if (demo === undefined) {
    throw new CannotStart(`GATELINE_DEMO is ${environment.GATELINE_DEMO}; it must be ${demos.join(' or ')}.`);
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new CannotStart(`PORT is ${port}; it must be a number from 0 to 65535.`);
  }
  makeFolder(localFolder);
  if (data === 'memory') return { port: Number(port), data, demo, localFolder };
  const folder = resolve(directory, data);
  makeFolder(folder);
  return { port: Number(port), data: { folder }, demo, localFolder };
}

function makeFolder(folder: string): void {
  try {
    makeStepByStep(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new CannotStart(
      `The folder ${folder} cannot be written (${reason}). Set GATELINE_DATA to another, or to memory.`,
    );
  }
}

/** Not with Node's own recursion, which never ends where a folder cannot be made below one that exists, as in /proc. */
function makeStepByStep(folder: string): void {
  if (existsSync(folder)) return;
  makeStepByStep(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
