import { bucketSeconds, bucketStart, coverRange, type TimeRange, type TimeSpan } from '../time/time-buckets.ts';

/**
 * Only the number of scans is needed, so a bucket has one count per slot: a day for each hour, an hour for each minute, a
 * minute for each second. The edges of a time range can then be counted without reading single scans.
 */
export const scanBuckets = ['day', 'hour', 'minute'] as const;
export type ScanBucket = (typeof scanBuckets)[number];

const partOf = { day: 'hour', hour: 'minute', minute: 'second' } as const;
const wholeOf = { hour: 'day', minute: 'hour', second: 'minute' } as const;

/** Returns the slot of each bucket that a second belongs to. */
export function scanSlots(unix: number): { bucket: ScanBucket; start: number; slot: number }[] {
  return scanBuckets.map((bucket) => {
    const start = bucketStart(bucket, unix);
    return { bucket, start, slot: Math.floor((unix - start) / bucketSeconds[partOf[bucket]]) };
  });
}

/** Some slots of a bucket: `fromSlot` inclusive, `toSlot` exclusive. */
export interface CountedSlots {
  readonly bucket: ScanBucket;
  readonly start: number;
  readonly fromSlot: number;
  readonly toSlot: number;
}

export interface ScanCover {
  /** The days that are in the range, completely or with some of their hours; undefined if there is none. */
  readonly days: { readonly from: number; readonly to: number } | undefined;
  /** Days, hours and minutes with only some slots in the range. */
  readonly edges: readonly CountedSlots[];
  /** Complete days: `from` inclusive, `to` exclusive. */
  readonly whole: { readonly from: number; readonly to: number };
}

/** Returns the buckets and slots whose counts add up to the number of scans in a range. */
export function coverScans(range: TimeRange): ScanCover {
  const spans = coverRange(range, ['day', 'hour', 'minute', 'second']);
  const whole = spans.find(({ size }) => size === 'day') ?? { from: 0, to: 0 };
  const edges = spans.flatMap(slotsOf);
  const starts = edges.filter(({ bucket }) => bucket === 'day').map(({ start }) => start);
  const days = [...starts, ...(whole.from < whole.to ? [whole.from, whole.to - bucketSeconds.day] : [])];
  return {
    days: days.length === 0 ? undefined : { from: Math.min(...days), to: Math.max(...days) + bucketSeconds.day },
    edges,
    whole: { from: whole.from, to: whole.to },
  };
}

/** Returns the slots of a span of hours, minutes or seconds, in the one or two buckets that contain them. */
function slotsOf({ size, from, to }: TimeSpan): CountedSlots[] {
  if (size === 'day' || size === 'span') return [];
  const bucket = wholeOf[size];
  const [seconds, part] = [bucketSeconds[bucket], bucketSeconds[size]];
  const starts = [...new Set([bucketStart(bucket, from), bucketStart(bucket, to - part)])];
  return starts.map((start) => ({
    bucket,
    start,
    fromSlot: Math.max(0, from - start) / part,
    toSlot: Math.min(seconds, to - start) / part,
  }));
}
