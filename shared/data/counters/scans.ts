import { type CountedSlots, coverScans, type ScanBucket, scanSlots } from '../../domain/scans/counts.ts';
import { bucketSeconds, endOfTime, type TimeRange } from '../../domain/time/time-buckets.ts';
import type { Table } from '../table/table.ts';
import type { CounterItem } from './counter-item.ts';
import { type BucketCounts, CounterShards } from './shards.ts';

/**
 * A stadium's gates make hundreds of scans a second. Days are what is read most, with every page and all figures, so they lie in
 * one partition: it is written as often as that of the scans themselves.
 */
export const scanShards = new CounterShards<ScanBucket>({
  letter: 'X',
  shards: 16,
  partitions: { day: 1, hour: 2, minute: 2 },
});

/** `s7` is how many scans the seventh part of a bucket saw, `a3` how many tickets of price 3 were let in on that day. */
const slotName = (slot: number): string => `s${slot}`;
const attendedName = (price: number): string => `a${price}`;
const attendedPattern = /^a(\d+)$/;

export interface CountedScan {
  readonly eventId: number;
  readonly scannedUnix: number;
  /** The price that has one more ticket attending, if it has. */
  readonly attendedPrice: number | undefined;
}

/** What a scan adds to the counters of a shard. */
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

/** How many scans an event has seen, altogether or in a range of time. As old as the rows that are listed beside it, at most. */
export async function countScans(table: Table, orgId: string, eventId: number, range: TimeRange = {}): Promise<number> {
  const event = { orgId, eventId };
  const reading = { consistent: false };
  const { days, whole, edges } = coverScans(range);
  const readDays = async (): Promise<number> => {
    if (days === undefined) return 0;
    const found = await scanShards.read(table, event, { size: 'day', ...days }, reading);
    const inWholeDays = found
      .filter(({ start }) => start >= whole.from && start < whole.to)
      .map((day) => sumOf(day, 0, slotsPerDay));
    return sum([...inWholeDays, ...found.map((day) => sumAtEdges(day, ofSize(edges, 'day')))]);
  };
  const readEdges = async (size: 'hour' | 'minute'): Promise<number> => {
    const own = ofSize(edges, size);
    const starts = [...new Set(own.map(({ start }) => start))];
    const found = await Promise.all(
      starts.map((from) => scanShards.read(table, event, { size, from, to: from + bucketSeconds[size] }, reading)),
    );
    return sum(found.flat().map((bucket) => sumAtEdges(bucket, own)));
  };
  return sum(await Promise.all([readDays(), readEdges('hour'), readEdges('minute')]));
}

/** How many tickets of each price were let in, by the index of the price. */
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

const slotsPerDay = bucketSeconds.day / bucketSeconds.hour;

function ofSize(edges: readonly CountedSlots[], size: ScanBucket): readonly CountedSlots[] {
  return edges.filter(({ bucket }) => bucket === size);
}

/** What a bucket counted in those of its parts that lie in the range; the edges are all of its size. */
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
