import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** A reason not to start that its reader can do something about: shown as one line. */
export class CannotStart extends Error {}

export interface Settings {
  readonly port: number;
  readonly data: 'memory' | { readonly folder: string };
  /** Where this run leaves what others look for: its address, the operator's connection, the synthesized stack. */
  readonly localFolder: string;
}

export function readSettings(environment: NodeJS.ProcessEnv, directory: string): Settings {
  const localFolder = resolve(directory, '.local');
  const { PORT: port = '3000', GATELINE_DATA: data = resolve(localFolder, 'data') } = environment;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new CannotStart(`PORT is ${port}; it must be a number from 0 to 65535.`);
  }
  makeFolder(localFolder);
  if (data === 'memory') return { port: Number(port), data, localFolder };
  const folder = resolve(directory, data);
  makeFolder(folder);
  return { port: Number(port), data: { folder }, localFolder };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new CannotStart(
      `The folder ${folder} cannot be written (${reason}). Set GATELINE_DATA to another, or to memory.`,
    );
  }
}
