import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Whether the tables of a test file are in the model of the table, which takes a fraction of the CPU time, or in DynamoDB Local:
 * none in `npm test`, all with `TABLE=dynamodb-local`, and with `TABLE=sample`, as in `npm run test:faults`, those that the seed draws.
 */
export function isOnModel(testPath: string): boolean {
  const { TABLE, SEED = '' } = process.env;
  if (TABLE === 'sample') return !drawnFiles(readdirSync(dirname(testPath)), SEED).includes(basename(testPath));
  return TABLE !== 'dynamodb-local';
}

/** One in eight test files of a folder, and at least one. */
export function drawnFiles(folder: readonly string[], seed: string): readonly string[] {
  const rank = (file: string): string => createHash('sha256').update(`${seed} ${file}`).digest('hex');
  const files = folder.filter((file) => file.endsWith('.test.ts'));
  const ranked = files.map((file) => ({ file, rank: rank(file) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return ranked.slice(0, Math.ceil(files.length / 8)).map(({ file }) => file);
}
