import { fileURLToPath } from 'node:url';
import { handlerModule, type Operation } from '../shared/operations/operation.ts';
import { workers } from '../shared/workers/registry.ts';

/** Where the handlers of the registries are. */
export const functionsFolder = fileURLToPath(new URL('../functions', import.meta.url));

/** The modules of every function that these operations and the background work need. */
export function handlerModules(operations: readonly Operation[]): string[] {
  return [...new Set([...operations.map(handlerModule), ...workers.map(({ module }) => module)])];
}
