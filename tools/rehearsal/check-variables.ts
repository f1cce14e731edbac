import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variablesReadBy } from '../../lib/variables.ts';
import type { RehearsedStack } from './rehearsed-stack.ts';

/** What its code reads is set on each function, and what is set is read. */
export function checkVariables({ functions }: RehearsedStack): string[] {
  return functions.flatMap(({ id, code, variables }) => {
    if (code === undefined) return [];
    const read = variablesReadBy(readFileSync(join(code, 'index.js'), 'utf8'));
    return [
      ...read
        .filter((name) => !variables.includes(name))
        .map((name) => `${id} reads the variable ${name}, which is not set.`),
      ...variables
        .filter((name) => !read.includes(name))
        .map((name) => `${id} does not read the variable ${name} that is set.`),
    ];
  });
}
