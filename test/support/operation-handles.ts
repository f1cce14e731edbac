import type { Handle } from '../../shared/http/pipeline.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';

/** Loaded before the test, which otherwise spends most of its time on it. */
const handles = new Map<Operation, Handle<Operation>>();
for (const operation of operations) {
  const { handle }: { handle: Handle<Operation> } = await import(
    `../../functions/api/${operation.resource}/${operation.id}.ts`
  );
  handles.set(operation, handle);
}

export function handleOf(operation: Operation): Handle<Operation> {
  const handle = handles.get(operation);
  if (handle === undefined) throw new Error(`${operation.id} has no handler.`);
  return handle;
}
