import type { ItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The key of a counter, with its counts or with the amounts to add to them. */
export interface CounterItem {
  readonly key: ItemKey;
  readonly counts: Readonly<Record<string, number>>;
}

/** The transaction items that add to counters. A counter that does not change is not written. */
export function addToCounters(table: Table, items: readonly CounterItem[]): TransactItem[] {
  return items
    .map(({ key, counts }) => ({ key, changes: Object.entries(counts).filter(([, count]) => count !== 0) }))
    .filter(({ changes }) => changes.length > 0)
    .map(({ key, changes }) => ({
      Update: {
        TableName: table.name,
        Key: key,
        UpdateExpression: `ADD ${changes.map(([name]) => `${name} :${name}`).join(', ')}`,
        ExpressionAttributeValues: Object.fromEntries(changes.map(([name, count]) => [`:${name}`, count])),
      },
    }));
}
