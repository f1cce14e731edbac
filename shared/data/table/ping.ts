import { getItem } from './get-item.ts';
import { pingKey } from './keys.ts';
import type { Table } from './table.ts';

/** Reads an item that never exists: half a read unit proves that the table is reachable and may be read. */
export async function ping(table: Table): Promise<void> {
  await getItem(table, pingKey());
}
