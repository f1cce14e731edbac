import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const left = ['node_modules', 'cdk.out', '.git', '.local', '.build', 'coverage'];

/**
 * A copy of this project. A first deployment writes the new signing key into lib/signing-keys.json, which must not change the
 * files of the person who runs the test.
 */
export function copyProject(folder: string): string {
  const copy = join(folder, 'project');
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(relative(root, path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'lib/signing-keys.json'), JSON.stringify({ dev: [], prod: [] }));
  return copy;
}
