import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CloudError } from './cloud-error.ts';

/** Small things that outlive a run when the data is kept, and do not when it is in memory. */
export interface KeptFiles {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
}

export function openDataFolder(data: 'memory' | { folder: string }): KeptFiles {
  if (data === 'memory') return inMemory();
  const folder = resolve(data.folder);
  prepare(folder);
  return {
    read: (name) => {
      const file = join(folder, name);
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    },
    write: (name, value) => {
      // Renaming replaces the file whole, so a run that is killed while writing leaves the old one.
      const draft = join(folder, `${name}.new`);
      writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
      renameSync(draft, join(folder, name));
    },
  };
}

function inMemory(): KeptFiles {
  const files = new Map<string, unknown>();
  return { read: (name) => files.get(name), write: (name, value) => void files.set(name, value) };
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CloudError(`The data folder ${folder} cannot be written: ${reason}`);
  }
}
