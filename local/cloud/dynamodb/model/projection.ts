import { type IndexSchema, type KeySchema, keyNames } from './schema.ts';
import type { Item } from './values.ts';

/** What an index of a table shows of an item. */
export function projectedItem(table: KeySchema, index: IndexSchema, item: Readonly<Item>): Item {
  if (index.projection === 'ALL') return { ...item };
  return Object.fromEntries([...keyNames(table), ...keyNames(index)].map((name) => [name, item[name]]));
}
