/** The seconds after one second and before another, both exclusive. A missing bound is unlimited. */
export interface TimeRange {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

/** The sizes of buckets in seconds. A span is 32 days: tickets are sold for months, and hundreds of days are too many to add. */
export const bucketSeconds = { span: 2_764_800, day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
export type BucketSize = keyof typeof bucketSeconds;

/** An order is counted in one bucket of each of these sizes. */
export const salesBuckets = ['span', 'day', 'hour', 'minute'] as const satisfies readonly BucketSize[];

/** Neighbouring buckets of one size: `from` is the start of the first, `to` the end of the last (exclusive). */
export interface TimeSpan {
  readonly size: BucketSize;
  readonly from: number;
  readonly to: number;
}

const secondDigits = 10;

/** The start of a bucket of every size, in the year 2286. Nothing is recorded at or after it, so seconds have ten digits. */
export const endOfTime = Math.floor(10 ** secondDigits / bucketSeconds.span) * bucketSeconds.span;

/** A second as text that sorts like the number. Ten digits are enough, because nothing is recorded after `endOfTime`. */
export function recordedSecondText(unix: number): string {
  return String(unix).padStart(secondDigits, '0');
}

export function bucketStart(size: BucketSize, unix: number): number {
  return unix - (unix % bucketSeconds[size]);
}

export function isUnlimited({ after, before }: TimeRange): boolean {
  return after === undefined && before === undefined;
}

/** Returns the seconds of a range: `from` inclusive, `to` exclusive. Bounds are limited to `endOfTime`, so they fit into a key. */
export function secondsOf({ after, before }: TimeRange): { readonly from: number; readonly to: number } {
  return {
    from: after === undefined ? 0 : Math.min(after + 1, endOfTime),
    to: Math.min(before ?? endOfTime, endOfTime),
  };
}

/**
 * Returns the fewest buckets that contain each second of a range exactly once: the largest in the middle, smaller ones towards
 * the two edges. The sizes go from large to small and end with `second`.
 */
export function coverRange(range: TimeRange, sizes: readonly BucketSize[]): TimeSpan[] {
  const { from, to } = secondsOf(range);
  return cover(from, to, sizes);
}

function cover(from: number, to: number, [size, ...smaller]: readonly BucketSize[]): TimeSpan[] {
  if (from >= to || size === undefined) return [];
  const seconds = bucketSeconds[size];
  const [first, last] = [Math.ceil(from / seconds) * seconds, Math.floor(to / seconds) * seconds];
  if (first >= last) return cover(from, to, smaller);
  return [...cover(from, first, smaller), { size, from: first, to: last }, ...cover(last, to, smaller)];
}
