import { fileURLToPath } from 'node:url';
import { handlerModule, type Operation } from '../shared/operations/operation.ts';
import { workers } from '../shared/workers/registry.ts';

/** The folder of the handlers. */
export const functionsFolder = fileURLToPath(new URL('../functions', import.meta.url));

/** The handler modules of these operations and of all workers. */
export function handlerModules(operations: readonly Operation[]): string[] {
  return [...new Set([...operations.map(handlerModule), ...workers.map(({ module }) => module)])];
}
