import { openTable, type Table } from '../data/table/table.ts';
import { tableName } from '../platform/env.ts';

let opened: Table | undefined;

/** The table. The first invocation opens it, and it is kept for the life of the instance. */
export function workerTable(): Table {
  opened ??= openTable(tableName());
  return opened;
}
