import { createHash } from 'node:crypto';
import { dirname } from 'node:path';

/** Of each folder, one file in eight and at least one, which the seed draws: `npm run test:database` runs them. */
export function drawnFiles(files: readonly string[], seed: string): readonly string[] {
  const rank = (file: string): string => createHash('sha256').update(`${seed} ${file}`).digest('hex');
  const folders = [...new Set(files.map(dirname))];
  return folders.flatMap((folder) => {
    const inFolder = files.filter((file) => dirname(file) === folder);
    const ranked = inFolder.map((file) => ({ file, rank: rank(file) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
    return ranked.slice(0, Math.ceil(ranked.length / 8)).map(({ file }) => file);
  });
}
