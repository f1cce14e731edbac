import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../shared/platform/env.ts', import.meta.url), 'utf8');
const known = [...source.matchAll(/required\('([A-Z_]+)'\)/g)].map(([, name]) => String(name));

/**
 * The variables that a bundle reads. Each is read by a function of its own in shared/platform/env.ts, and a bundle holds only
 * the functions that it uses, so their names in it are exactly those that it needs.
 */
export function variablesReadBy(bundle: string): string[] {
  return known.filter((name) => bundle.includes(`"${name}"`));
}
