import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import { CloudError } from './cloud-error.ts';

/**
 * The format of the rows in a data folder. Raise it with every change after which the code cannot read rows that the version
 * before it has written: a key in shared/data/table/keys.ts gets another text, or a row's schema gets another attribute name
 * or an attribute that old rows do not have. Format 1 wrote no file; its keys had other prefixes. Format 2 had other search words. In format 3
 * an email address belonged to one customer.
 */
export const dataFormat = 4;

const formatFile = 'format.json';
const Format = v.object({ format: v.number() });

interface JsonFiles {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
}

/** DynamoDB Local's database, the same name in every folder. Another program's files in the folder are not our data. */
const database = 'shared-local-instance.db';

/** Writes the format into a new folder, and refuses one whose rows have another format. */
export function checkDataFormat(folder: string, files: JsonFiles): void {
  if (!existsSync(join(folder, database))) {
    files.write(formatFile, { format: dataFormat });
    return;
  }
  const parsed = v.safeParse(Format, files.read(formatFile));
  const found = parsed.success ? parsed.output.format : 1;
  if (found === dataFormat) return;
  const version = found < dataFormat ? 'an earlier' : 'a later';
  const path = shortPath(folder);
  throw new CloudError(
    `The data folder ${path} was written by ${version} version of Gateline. Delete it and start again: rm -r ${quoted(path)}`,
  );
}

/** Relative to the directory in which the reader types the command, where that is shorter. */
function shortPath(folder: string): string {
  const path = relative('', folder);
  return path === '' || path.startsWith('..') ? folder : path;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
