import type { TableAccess, TableAction } from '../domain/table-access.ts';
import type { Door, Operation } from './operation.ts';

/** What the door does to its own item on behalf of an operation. */
const doorActions: Readonly<Record<Door['kind'], readonly TableAction[]>> = {
  counted: ['UpdateItem'],
  free: ['GetItem'],
  open: [],
};

/** Everything an operation's function does to the table: its own access, the door before it, and the pages it remembers. */
export function tableAccess(operation: Operation): TableAccess {
  const door = doorActions[operation.door.kind];
  return {
    ...operation.access,
    ...(door.length > 0 && { DOOR: door }),
    ...('page_number' in operation.query.entries && { PAGE: ['Query', 'PutItem'] }),
  };
}
