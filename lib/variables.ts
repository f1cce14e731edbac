import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../shared/platform/env.ts', import.meta.url), 'utf8');
const known = [...source.matchAll(/(?:required|optional)\('([A-Z_]+)'\)/g)].map(([, name]) => String(name));

/**
 * The environment variables that a bundle reads. shared/platform/env.ts has one function per variable, and a bundle contains
 * only the functions that it uses, so the names in the bundle are exactly the variables that it needs.
 */
export function variablesReadBy(bundle: string): string[] {
  return known.filter((name) => bundle.includes(`"${name}"`));
}

/** Variables that a function may have without reading them: Node does, and only functions that count something need the stage. */
export const unreadVariables: readonly string[] = ['NODE_OPTIONS', 'STAGE'];
