import { addTo, differences, type Finding, type NamedCounts, nameRow } from '../../domain/audit/finding.ts';
import type { BucketSize } from '../../domain/time/time-buckets.ts';
import type { BucketCounts, BucketsOf, CountedEvent, CounterShards } from '../counters/shards.ts';
import type { Table } from '../table/table.ts';

/** Counts by bucket: the size and the first second of a bucket, as text. */
export type BucketTotals = Map<string, Map<string, number>>;

export const bucketName = (size: BucketSize, start: number): string => `${size} ${start}`;

export function bucketIn(totals: BucketTotals, name: string): Map<string, number> {
  const found = totals.get(name) ?? new Map<string, number>();
  totals.set(name, found);
  return found;
}

interface SizesIn<Size extends BucketSize> extends Omit<BucketsOf<Size>, 'size'> {
  readonly sizes: readonly Size[];
}

/** Adds up the shards of every bucket of these sizes. */
export function readTotals<Size extends BucketSize>(
  table: Table,
  event: CountedEvent,
  shards: CounterShards<Size>,
  range: SizesIn<Size>,
): Promise<BucketTotals> {
  return addUp(range, (buckets) => shards.read(table, event, buckets, { consistent: true }));
}

export async function addUp<Size extends BucketSize>(
  { sizes, from, to }: SizesIn<Size>,
  read: (buckets: BucketsOf<Size>) => Promise<readonly BucketCounts[]>,
): Promise<BucketTotals> {
  const totals: BucketTotals = new Map();
  const reads = sizes.map(async (size) => {
    for (const { start, counts } of await read({ size, from, to })) {
      addTo(bucketIn(totals, bucketName(size, start)), counts);
    }
  });
  await Promise.all(reads);
  return totals;
}

/** Whether nothing was counted between two reads. Orders and statuses only move forward, so counters never return to a value. */
export function isUnchanged(before: BucketTotals, after: BucketTotals): boolean {
  return [...new Set([...before.keys(), ...after.keys()])].every(
    (name) => differences(before.get(name) ?? new Map(), after.get(name) ?? new Map()) === undefined,
  );
}

/** Compares counters with what their rows add up to, bucket by bucket. `kept` chooses the counts to compare. */
export function compareTotals<Size extends BucketSize>(
  check: Finding['check'],
  { shards, event, sizes }: { shards: CounterShards<Size>; event: CountedEvent; sizes: readonly Size[] },
  { counted, inRows, kept }: { counted: BucketTotals; inRows: BucketTotals; kept: RegExp },
): Finding[] {
  // Sorted, because counters are read side by side: a repeated audit reports the same findings in the same order.
  const names = [...new Set([...counted.keys(), ...inRows.keys()])].sort();
  return names.flatMap((name) => {
    const only = (counts: NamedCounts | undefined) => new Map([...(counts ?? [])].filter(([key]) => kept.test(key)));
    const problem = differences(only(counted.get(name)), only(inRows.get(name)));
    const [size, start] = name.split(' ');
    const found = sizes.find((one) => one === size);
    if (problem === undefined || found === undefined) return [];
    return [{ check, row: nameRow(shards.keyOf(event, { size: found, start: Number(start) }, 0)), problem }];
  });
}
