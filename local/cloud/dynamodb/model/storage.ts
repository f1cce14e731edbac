import { projectedItem } from './projection.ts';
import type { IndexSchema, TableSchema } from './schema.ts';
import { type Position, SortedItems } from './sorted-items.ts';
import { type Item, isSameValue } from './values.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A change of one item, as the table's stream reports it. */
export interface Change {
  readonly key: Key;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Where an item is in an index; undefined if it has not both of its keys. */
export function positionIn(
  index: IndexSchema,
  key: Key,
  item: Item | undefined,
): (Position & { partition: string }) | undefined {
  const partition = item?.[index.partitionKey];
  const sortKey = index.sortKey === undefined ? '' : item?.[index.sortKey];
  if (typeof partition !== 'string' || typeof sortKey !== 'string') return undefined;
  return { partition, sortKey, tie: JSON.stringify([key.pk, key.sk]) };
}

/** The items of the table and of its indexes. */
export class Storage {
  readonly schema: TableSchema;
  readonly #table = new Map<string, SortedItems>();
  readonly #indexes: ReadonlyMap<string, Map<string, SortedItems>>;
  /** Calls back when an index may show a change. By default at once; the physics of AWS delay it. */
  updateIndex: (apply: () => void) => void = (apply) => apply();
  readonly #listeners: ((change: Change) => void)[] = [];

  constructor(schema: TableSchema) {
    this.schema = schema;
    this.#indexes = new Map(schema.indexes.map(({ name }) => [name, new Map<string, SortedItems>()]));
  }

  /** Registers a reader of the stream. Changes arrive in the order in which they were made. */
  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  get({ pk, sk }: Key): Item | undefined {
    return this.#table.get(pk)?.get({ sortKey: sk, tie: '' });
  }

  /** The partition of the table, or of one of its indexes. */
  partition(index: IndexSchema | undefined, partition: string): SortedItems | undefined {
    return index === undefined ? this.#table.get(partition) : this.#indexes.get(index.name)?.get(partition);
  }

  *keys(): Generator<Key> {
    for (const { key } of this.all()) yield key;
  }

  /** Every item, after an optional key. */
  *all(after?: Key): Generator<{ readonly key: Key; readonly item: Item }> {
    const everything = { isBelow: () => false, isAbove: () => false };
    let isReached = after === undefined;
    for (const [pk, items] of this.#table) {
      const isStart = !isReached && pk === after?.pk;
      isReached ||= isStart;
      if (!isReached) continue;
      const position = isStart ? { sortKey: after?.sk ?? '', tie: '' } : undefined;
      for (const { sortKey, item } of items.range(everything, true, position)) yield { key: { pk, sk: sortKey }, item };
    }
  }

  /** Replaces an item, or deletes it. An item that does not change is not in the stream. */
  write({ key, before, after }: Change): void {
    if (before !== undefined && after !== undefined && isSameValue(before, after)) return;
    if (before === undefined && after === undefined) return;
    store(this.#table, key.pk, { sortKey: key.sk, tie: '' }, after);
    for (const index of this.schema.indexes) this.#writeIndex(index, { key, before, after });
    for (const listener of this.#listeners) listener({ key, before, after });
  }

  #writeIndex(index: IndexSchema, { key, before, after }: Change): void {
    const [old, next] = [positionIn(index, key, before), positionIn(index, key, after)];
    const partitions = this.#indexes.get(index.name);
    if (partitions === undefined || (old === undefined && next === undefined)) return;
    this.updateIndex(() => {
      if (old !== undefined) store(partitions, old.partition, old, undefined);
      if (next !== undefined && after !== undefined)
        store(partitions, next.partition, next, projectedItem(this.schema, index, after));
    });
  }
}

function store(partitions: Map<string, SortedItems>, name: string, position: Position, item: Item | undefined): void {
  const items = partitions.get(name) ?? new SortedItems();
  if (item === undefined) items.delete(position);
  else items.put(position, item);
  if (items.isEmpty) partitions.delete(name);
  else partitions.set(name, items);
}
