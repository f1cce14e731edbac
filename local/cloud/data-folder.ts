import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CloudError } from './cloud-error.ts';
import { checkDataFormat } from './data-format.ts';

/** Small JSON files, kept with the data: in the data folder, or in memory for one run. */
export interface KeptFiles {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
  /** Releases the folder for the next run. */
  close(): void;
}

export function openDataFolder(data: 'memory' | { folder: string }): KeptFiles {
  if (data === 'memory') return inMemory();
  const folder = resolve(data.folder);
  prepare(folder);
  const release = lock(folder);
  const files: KeptFiles = {
    close: release,
    read: (name) => {
      const file = join(folder, name);
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    },
    write: (name, value) => {
      // Renaming replaces the whole file, so a run that is killed while it writes leaves the old file.
      const draft = join(folder, `${name}.new`);
      writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
      renameSync(draft, join(folder, name));
    },
  };
  try {
    checkDataFormat(folder, files);
  } catch (error) {
    release();
    throw error;
  }
  return files;
}

function inMemory(): KeptFiles {
  const files = new Map<string, unknown>();
  return { read: (name) => files.get(name), write: (name, value) => void files.set(name, value), close: () => {} };
}

/** Two runs must not share a folder. A killed run leaves its lock file, whose process no longer exists. */
function lock(folder: string): () => void {
  const file = join(folder, 'in-use-by');
  const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (owner > 0 && isAlive(owner)) {
    throw new CloudError(
      `The data folder ${folder} is in use by process ${owner}. Stop that process, or set GATELINE_DATA to another folder.`,
    );
  }
  writeFileSync(file, String(process.pid), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CloudError(`The data folder ${folder} is not writable: ${reason}`);
  }
}
