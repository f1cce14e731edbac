import { bucketSeconds, bucketStart, coverRange, type TimeRange, type TimeSpan } from '../time/time-buckets.ts';

/**
 * Scans are only counted, so a bucket holds the count of each of its parts: a day of its hours, an hour of its minutes, a
 * minute of its seconds. Then no edge of a range has to be read scan by scan.
 */
export const scanBuckets = ['day', 'hour', 'minute'] as const;
export type ScanBucket = (typeof scanBuckets)[number];

const partOf = { day: 'hour', hour: 'minute', minute: 'second' } as const;
const wholeOf = { hour: 'day', minute: 'hour', second: 'minute' } as const;

/** The part of each bucket that a second belongs to. */
export function scanSlots(unix: number): { bucket: ScanBucket; start: number; slot: number }[] {
  return scanBuckets.map((bucket) => {
    const start = bucketStart(bucket, unix);
    return { bucket, start, slot: Math.floor((unix - start) / bucketSeconds[partOf[bucket]]) };
  });
}

/** Some parts of a bucket: from this one, up to but not that one. */
export interface CountedSlots {
  readonly bucket: ScanBucket;
  readonly start: number;
  readonly fromSlot: number;
  readonly toSlot: number;
}

export interface ScanCover {
  /** Days that lie in the range, wholly or with some of their hours; undefined when there is none. */
  readonly days: { readonly from: number; readonly to: number } | undefined;
  /** Days, hours and minutes of which only some parts lie in the range. */
  readonly edges: readonly CountedSlots[];
  /** Whole days: from this one, up to but not that one. */
  readonly whole: { readonly from: number; readonly to: number };
}

/** What has to be added up to count the scans of a range. */
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

/** The parts that a stretch of hours, minutes or seconds is, in the one or two buckets that hold them. */
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
