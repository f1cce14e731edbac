import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unreadVariables, variablesReadBy } from '../../lib/variables.ts';
import type { RehearsedStack } from './rehearsed-stack.ts';

/** Every environment variable that a function reads must be set, and every variable that is set must be read. */
export function checkVariables({ functions }: RehearsedStack): string[] {
  return functions.flatMap(({ id, code, variables }) => {
    if (code === undefined) return [];
    const read = variablesOf(code);
    return [
      ...read
        .filter((name) => !variables.includes(name))
        .map((name) => `${id} reads the environment variable ${name}, which is not set.`),
      ...variables
        .filter((name) => !read.includes(name) && !unreadVariables.includes(name))
        .map((name) => `${id} does not read the environment variable ${name}, which is set.`),
    ];
  });
}

const known = new Map<string, readonly string[]>();

/** The folder of an asset has the name of its content. All bundles together have 60 MB, and tests rehearse them twenty times. */
function variablesOf(folder: string): readonly string[] {
  const read = known.get(folder) ?? variablesReadBy(bundleIn(folder));
  known.set(folder, read);
  return read;
}

/** The folder of a function contains one file. */
function bundleIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
