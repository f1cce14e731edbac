import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { CloudError } from './cloud-error.ts';
import type { KeptFiles } from './kept-files.ts';
import { quotedPath, shortPath } from './short-path.ts';

const formatFile = 'format.json';
const Format = v.object({ format: v.number() });

/** DynamoDB Local's database, the same name in every folder. Another program's files in the folder are not our data. */
export const databaseFile = 'shared-local-instance.db';

/** Writes the format into a new folder, and refuses one whose rows have another format. */
export function checkDataFormat(folder: string, files: Pick<KeptFiles, 'read' | 'write'>, dataFormat: number): void {
  if (!existsSync(join(folder, databaseFile))) {
    files.write(formatFile, { format: dataFormat });
    return;
  }
  const found = files.read(formatFile, Format)?.format ?? 1;
  if (found === dataFormat) return;
  const version = found < dataFormat ? 'an earlier' : 'a later';
  const path = shortPath(folder);
  throw new CloudError(
    `The data folder ${path} was written by ${version} version of the service. Delete it and start again: rm -r ${quotedPath(path)}`,
  );
}
