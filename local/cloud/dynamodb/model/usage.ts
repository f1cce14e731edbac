import { writeUnitsOf } from './item-size.ts';
import { projectedItem } from './projection.ts';
import type { IndexSchema, TableSchema } from './schema.ts';
import { type Change, positionIn } from './storage.ts';
import { isSameValue } from './values.ts';

/** The capacity units that a call took from one partition key of the table or of an index. */
export interface Usage {
  /** The name of the index; undefined for the table. */
  readonly index: string | undefined;
  readonly partition: string;
  readonly sortKey: string;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** What a write costs: the larger of the item before and after it, and the same in each index that shows it. */
export function writeUsage(
  schema: TableSchema,
  { key, before, after }: Change,
  isTransacted: boolean,
): readonly Usage[] {
  const units = Math.max(writeUnitsOf(before ?? {}), writeUnitsOf(after ?? {}));
  const own: Usage = {
    index: undefined,
    partition: key.pk,
    sortKey: key.sk,
    readUnits: 0,
    writeUnits: isTransacted ? 2 * units : units,
  };
  if (before !== undefined && after !== undefined && isSameValue(before, after)) return [own];
  return [own, ...schema.indexes.flatMap((index) => indexUsage(schema, index, { key, before, after }))];
}

function indexUsage(schema: TableSchema, index: IndexSchema, { key, before, after }: Change): readonly Usage[] {
  const [old, next] = [positionIn(index, key, before), positionIn(index, key, after)];
  const usage = (at: { partition: string; sortKey: string }, writeUnits: number): Usage => ({
    index: index.name,
    partition: at.partition,
    sortKey: at.sortKey,
    readUnits: 0,
    writeUnits,
  });
  const unitsOf = (item: Change['after']): number => writeUnitsOf(projectedItem(schema, index, item ?? {}));
  const isMoved = old?.partition !== next?.partition || old?.sortKey !== next?.sortKey;
  if (old !== undefined && next !== undefined && !isMoved) {
    const isSame =
      before !== undefined &&
      after !== undefined &&
      isSameValue(projectedItem(schema, index, before), projectedItem(schema, index, after));
    return isSame ? [] : [usage(next, Math.max(unitsOf(before), unitsOf(after)))];
  }
  return [
    ...(old === undefined ? [] : [usage(old, unitsOf(before))]),
    ...(next === undefined ? [] : [usage(next, unitsOf(after))]),
  ];
}

/** The consumed capacity in the form of a response. */
export function consumedCapacity(usage: readonly Usage[]): Record<string, unknown> {
  const sum = (of: (one: Usage) => number): number => usage.reduce((total, one) => total + of(one), 0);
  return { TableName: 'model', CapacityUnits: sum(({ readUnits, writeUnits }) => readUnits + writeUnits) };
}
