import { openTable, type Table } from '../data/table/table.ts';
import { tableName } from '../platform/env.ts';

let opened: Table | undefined;

/** The table, opened at the first piece of work and kept for the life of the instance. */
export function workerTable(): Table {
  opened ??= openTable(tableName());
  return opened;
}
