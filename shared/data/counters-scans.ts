import { type CountedSlots, coverScans, scanSlots } from '../domain/scan-counts.ts';
import { bucketSeconds, endOfTime, type TimeRange } from '../domain/time-buckets.ts';
import { batchGet } from './batch-get.ts';
import { CounterShards } from './counter-shards.ts';
import { bucketName, type CounterItem } from './counters.ts';
import { counterKey } from './keys.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';

/** A stadium's gates make hundreds of scans a second. */
export const scanShards = new CounterShards('X', 16);

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
export function scanCounters(orgId: string, scan: CountedScan, shard: string): CounterItem[] {
  const { eventId, scannedUnix, attendedPrice } = scan;
  return scanSlots(scannedUnix).map(({ bucket, start, slot }) => ({
    key: counterKey(orgId, eventId, shard, bucketName(bucket, start)),
    counts: {
      [slotName(slot)]: 1,
      ...(bucket === 'day' && attendedPrice !== undefined && { [attendedName(attendedPrice)]: 1 }),
    },
  }));
}

type Counts = Readonly<Record<string, unknown>>;

/** How many scans an event has seen, altogether or in a range of time. As old as the rows that are listed beside it, at most. */
export async function countScans(table: Table, orgId: string, eventId: number, range: TimeRange = {}): Promise<number> {
  const { days, whole, edges } = coverScans(range);
  const smaller = edges.filter(({ bucket }) => bucket !== 'day');
  const keys = scanShards.names.flatMap((shard) =>
    [...new Set(smaller.map(({ bucket, start }) => bucketName(bucket, start)))].map((name) =>
      counterKey(orgId, eventId, shard, name),
    ),
  );
  const [dayItems, edgeItems] = await Promise.all([
    days === undefined ? [] : readDays(table, orgId, eventId, { ...days, consistent: false }),
    keys.length === 0 ? [] : batchGet(table, keys, { consistent: false }),
  ]);
  const isWhole = ({ sk }: Counts): boolean =>
    String(sk) >= bucketName('day', whole.from) && String(sk) < bucketName('day', whole.to);
  const inWholeDays = dayItems.filter(isWhole).map((item) => sumOf(item, 0, slotsPerDay));
  const atEdges = [...dayItems, ...edgeItems].map((item) => sumAtEdges(item, edges));
  return [...inWholeDays, ...atEdges].reduce((sum, count) => sum + count, 0);
}

/** How many tickets of each price were let in, by the index of the price. */
export async function readAttended(table: Table, orgId: string, eventId: number): Promise<ReadonlyMap<number, number>> {
  const attended = new Map<number, number>();
  for (const item of await readDays(table, orgId, eventId, { from: 0, to: endOfTime, consistent: true })) {
    for (const [name, count] of Object.entries(item)) {
      const price = Number(attendedPattern.exec(name)?.[1] ?? Number.NaN);
      if (!Number.isNaN(price)) attended.set(price, (attended.get(price) ?? 0) + Number(count));
    }
  }
  return attended;
}

const slotsPerDay = bucketSeconds.day / bucketSeconds.hour;

interface Days {
  readonly from: number;
  readonly to: number;
  readonly consistent: boolean;
}

async function readDays(table: Table, orgId: string, eventId: number, days: Days): Promise<Counts[]> {
  const shards = await Promise.all(
    scanShards.names.map((shard) =>
      queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': counterKey(orgId, eventId, shard, '').pk,
          ':first': bucketName('day', days.from),
          ':last': bucketName('day', days.to - 1),
        },
        ConsistentRead: days.consistent,
      }),
    ),
  );
  return shards.flat();
}

function sumAtEdges(item: Counts, edges: readonly CountedSlots[]): number {
  return edges
    .filter(({ bucket, start }) => item.sk === bucketName(bucket, start))
    .reduce((sum, { fromSlot, toSlot }) => sum + sumOf(item, fromSlot, toSlot), 0);
}

function sumOf(item: Counts, fromSlot: number, toSlot: number): number {
  const slots = Array.from({ length: toSlot - fromSlot }, (_, index) => item[slotName(fromSlot + index)]);
  return slots.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0);
}
