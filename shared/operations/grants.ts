import type { TableAccess, TableAction } from '../domain/table-access.ts';
import type { Door, Operation } from './operation.ts';

/** What the door does to its own item on behalf of an operation. */
const doorActions: Readonly<Record<Door['kind'], readonly TableAction[]>> = {
  counted: ['UpdateItem'],
  free: ['GetItem'],
  open: [],
};

/**
 * Everything an operation's function does to the table: its own access, the door before it, the pages it remembers, the
 * events it announces, and the answers that a POST keeps for its Idempotency-Key.
 */
export function tableAccess(operation: Operation): TableAccess {
  const door = doorActions[operation.door.kind];
  const { access, query, emits, method } = operation;
  return {
    ...access,
    ...(door.length > 0 && { AUTH: door }),
    ...(isForGates(operation.door) && { GATEAUTH: ['UpdateItem'] }),
    ...('page_number' in query.entries && { PAGE: ['Query', 'PutItem'] }),
    ...(emits.length > 0 && { FEED: withPut(access.FEED), DUE: withPut(access.DUE) }),
    ...(method === 'POST' && { IDM: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
  };
}

function isForGates(door: Door): boolean {
  return door.kind === 'counted' && door.gates === true;
}

function withPut(own: readonly TableAction[] = []): TableAction[] {
  return [...new Set<TableAction>([...own, 'PutItem'])];
}
