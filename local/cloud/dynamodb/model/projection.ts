import { tableSchema } from '../../../../shared/data/table/schema.ts';
import type { Index } from './storage.ts';
import type { Item } from './values.ts';

/** What an index shows of an item. */
export function projectedItem(index: Index, item: Readonly<Item>): Item {
  if (index.projection === 'ALL') return { ...item };
  const names = [tableSchema.partitionKey, tableSchema.sortKey, index.partitionKey, index.sortKey];
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}
