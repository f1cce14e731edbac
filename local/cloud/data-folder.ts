import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { CloudError } from './cloud-error.ts';
import { checkDataFormat, databaseFile } from './data-format.ts';
import { isDiskFull } from './disk-space.ts';
import { lockFolder } from './folder-lock.ts';
import type { KeptFiles } from './kept-files.ts';
import { quotedPath, shortPath } from './short-path.ts';

export type DataLocation = 'memory' | { readonly folder: string; readonly format?: number | undefined };

export function openDataFolder(data: DataLocation): KeptFiles {
  if (data === 'memory') return inMemory();
  const folder = resolve(data.folder);
  prepare(folder);
  const release = lockFolder(folder);
  const files: KeptFiles = {
    close: release,
    read: (name, schema, options) => {
      const file = join(folder, name);
      if (!existsSync(file)) return undefined;
      const parsed = v.safeParse(schema, parseJson(readFileSync(file, 'utf8')));
      if (parsed.success) return parsed.output;
      throw options?.canBeDeleted ? replaceableFile(file) : damagedFolder(folder, name);
    },
    write: (name, value) => {
      // Renaming replaces the whole file, so a run that is killed while it writes leaves the old file.
      const draft = join(folder, `${name}.new`);
      writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
      renameSync(draft, join(folder, name));
    },
  };
  try {
    checkDataFormat(folder, files, data.format ?? 1);
    checkDatabase(folder);
  } catch (error) {
    release();
    throw error;
  }
  return files;
}

function inMemory(): KeptFiles {
  const files = new Map<string, unknown>();
  return {
    read: (name, schema) => (files.has(name) ? v.parse(schema, files.get(name)) : undefined),
    write: (name, value) => void files.set(name, value),
    close: () => {},
  };
}

/** The error for a file without which the rows are of no use. */
export function damagedFolder(folder: string, file: string): CloudError {
  const path = shortPath(folder);
  return new CloudError(
    `The file ${join(path, file)} is damaged. Restore it, or delete the data folder and start again: rm -r ${quotedPath(path)}`,
  );
}

function replaceableFile(file: string): CloudError {
  const path = shortPath(file);
  return new CloudError(`The file ${path} is damaged. Delete it and start again: rm ${quotedPath(path)}`);
}

/** SQLite would take an empty file for a new database. The secrets are written when the tables exist. */
function checkDatabase(folder: string): void {
  const database = join(folder, databaseFile);
  if (!existsSync(join(folder, 'secrets.json')) || !existsSync(database)) return;
  if (statSync(database).size === 0) throw damagedFolder(folder, databaseFile);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
  if (isDiskFull(folder)) {
    throw new CloudError(`The disk of the data folder ${folder} is full. Free some space, or use another folder.`);
  }
}
