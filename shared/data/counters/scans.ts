import { type CountedSlots, coverScans, type ScanBucket, scanBuckets, scanSlots } from '../../domain/scans/counts.ts';
import { bucketSeconds, endOfTime, type TimeRange } from '../../domain/time/time-buckets.ts';
import type { Table } from '../table/table.ts';
import type { CountedScan } from './count-scan.ts';
import type { CounterItem } from './counter-item.ts';
import type { SlotCounters } from './locate.ts';
import { ScanBuckets } from './scan-buckets.ts';
import { attendedName, attendedPattern, scanShards, slotName } from './scan-layout.ts';
import type { BucketCounts, CountedEvent } from './shards.ts';

/** Returns what a scan adds to the counters of a shard once nothing is pending: generated data is written like that. */
export function scanCounters(orgId: string, scan: CountedScan, shard: number): CounterItem[] {
  const { eventId, scannedUnix, attendedPrice } = scan;
  return scanSlots(scannedUnix).map(({ bucket, start, slot }) => ({
    key: scanShards.keyOf({ orgId, eventId }, { size: bucket, start }, shard),
    counts: {
      [slotName(slot)]: 1,
      ...(bucket === 'day' && attendedPrice !== undefined && { [attendedName(attendedPrice)]: 1 }),
    },
  }));
}

/** Returns the number of scans at an event, in total or in a time range. It is as up to date as the rows that are listed. */
export async function countScans(table: Table, orgId: string, eventId: number, range: TimeRange = {}): Promise<number> {
  const event = { orgId, eventId };
  const readOptions = { consistent: false };
  const buckets = new ScanBuckets(event);
  const { days, whole, edges } = coverScans(range);
  const readDays = async (): Promise<number> => {
    if (days === undefined) return 0;
    const found = await scanShards.read(table, event, { size: 'day', ...days }, readOptions);
    const inWholeDays = found
      .filter(({ start }) => start >= whole.from && start < whole.to)
      .map((day) => sumOf(day, 0, slotsPerDay));
    return sum([...inWholeDays, ...found.map((day) => sumAtEdges(day, ofSize(edges, 'day')))]);
  };
  const readEdges = async (size: 'hour' | 'minute'): Promise<number> => {
    const own = ofSize(edges, size);
    const starts = [...new Set(own.map(({ start }) => start))];
    const found = await Promise.all(
      starts.map((from) => buckets.read(table, { size, from, to: from + bucketSeconds[size] })),
    );
    return sum(found.flat().map((bucket) => sumAtEdges(bucket, own)));
  };
  return sum(await Promise.all([readDays(), readEdges('hour'), readEdges('minute')]));
}

/** Returns how many tickets of each price were admitted, by the index of the price. */
export async function readAttended(table: Table, orgId: string, eventId: number): Promise<ReadonlyMap<number, number>> {
  const attended = new Map<number, number>();
  const allDays = { size: 'day', from: 0, to: endOfTime } as const;
  for (const { counts } of await scanShards.read(table, { orgId, eventId }, allDays, { consistent: true })) {
    for (const [name, count] of Object.entries(counts)) {
      const price = Number(attendedPattern.exec(name)?.[1] ?? Number.NaN);
      if (!Number.isNaN(price)) attended.set(price, (attended.get(price) ?? 0) + Number(count));
    }
  }
  return attended;
}

/** The counters that locate an offset in the list of an event's scans. */
export function scanListCounters(event: CountedEvent): SlotCounters<ScanBucket> {
  const countOf = ({ counts }: BucketCounts, slot: number): number => Number(counts[slotName(slot)] ?? 0);
  const buckets = new ScanBuckets(event);
  return {
    read: (table, { size, from, to }) =>
      size === 'day'
        ? scanShards.read(table, event, { size, from, to }, { consistent: false })
        : buckets.read(table, { size, from, to }),
    sizes: scanBuckets,
    countOf,
  };
}

const slotsPerDay = bucketSeconds.day / bucketSeconds.hour;

function ofSize(edges: readonly CountedSlots[], size: ScanBucket): readonly CountedSlots[] {
  return edges.filter(({ bucket }) => bucket === size);
}

/** Returns the sum of those slots of a bucket that lie in the range. The edges all have the bucket's size. */
function sumAtEdges(bucket: BucketCounts, edges: readonly CountedSlots[]): number {
  const own = edges.filter(({ start }) => start === bucket.start);
  return sum(own.map(({ fromSlot, toSlot }) => sumOf(bucket, fromSlot, toSlot)));
}

function sumOf({ counts }: BucketCounts, fromSlot: number, toSlot: number): number {
  const slots = Array.from({ length: toSlot - fromSlot }, (_, index) => counts[slotName(fromSlot + index)]);
  return sum(slots.map((count) => (typeof count === 'number' ? count : 0)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
