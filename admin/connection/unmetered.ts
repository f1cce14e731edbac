import type { Table } from '../../shared/data/table/table.ts';

/** Nobody here reads what a call cost, and DynamoDB Local takes a third longer for a write whose cost it has to tell. */
export function unmetered(table: Table): Table {
  table.client.middlewareStack.remove('measureCapacity');
  return table;
}
