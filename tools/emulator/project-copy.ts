import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const left = ['node_modules', 'cdk.out', '.git', '.local', '.build', 'coverage'];

/**
 * A copy of this project. A first deployment writes the new signing key into lib/signing-keys.json, and the update changes
 * a function: neither may change the files of the person who runs the test.
 */
export function copyProject(folder: string): string {
  const copy = join(folder, 'project');
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(relative(root, path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'lib/signing-keys.json'), JSON.stringify({ dev: [], prod: [] }));
  return copy;
}

/** Changes one place of a file of the copy. */
export function changeFile(copy: string, path: string, from: string, to: string): void {
  const file = join(copy, path);
  const text = readFileSync(file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${path} does not contain this exactly once: ${from}`);
  writeFileSync(file, text.replace(from, to));
}
