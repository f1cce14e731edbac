import { inject } from 'vitest';
import type { Assembly, AssemblyName } from './assemblies.ts';

/** A stack that global-setup.ts synthesized for this run. */
export function assembly(name: AssemblyName): Assembly {
  const found = inject('assemblies')[name];
  if (found === undefined)
    throw new Error(`The stack ${name} was not synthesized: see neededStacks in global-setup.ts.`);
  return found;
}
