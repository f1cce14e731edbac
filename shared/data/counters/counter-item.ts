import type { ItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The key of a counter, with its counts or with the amounts to add to them. */
export interface CounterItem {
  readonly key: ItemKey;
  readonly counts: Readonly<Record<string, number>>;
}

/** One item for each key, because a transaction may write an item only once. */
export function mergeCounters(items: readonly CounterItem[]): readonly CounterItem[] {
  const merged = new Map<string, { readonly key: ItemKey; readonly counts: Record<string, number> }>();
  for (const { key, counts } of items) {
    const name = `${key.pk} ${key.sk}`;
    const known = merged.get(name) ?? { key, counts: {} };
    merged.set(name, known);
    for (const [count, added] of Object.entries(counts)) known.counts[count] = (known.counts[count] ?? 0) + added;
  }
  return [...merged.values()];
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
