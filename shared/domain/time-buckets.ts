/** Seconds after one and before another, both excluded; a bound that is missing is open. */
export interface TimeRange {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

/** The sizes of buckets in seconds. A span is 32 days: sales run for months, and no reader should add up hundreds of days. */
export const bucketSeconds = { span: 2_764_800, day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
export type BucketSize = keyof typeof bucketSeconds;

/** Neighbouring buckets of one size, by the seconds they begin at: `from` is the first, `to` is behind the last. */
export interface Stretch {
  readonly size: BucketSize;
  readonly from: number;
  readonly to: number;
}

/** Begins a bucket of every size, and no time is after it. */
const endOfTime = Math.ceil(10 ** 10 / bucketSeconds.span) * bucketSeconds.span;

export function bucketStart(size: BucketSize, unix: number): number {
  return unix - (unix % bucketSeconds[size]);
}

export function isWholeTime({ after, before }: TimeRange): boolean {
  return after === undefined && before === undefined;
}

/** The seconds of a range: from the first, up to but not the last. Empty ranges have none. */
export function secondsOf({ after, before }: TimeRange): { readonly from: number; readonly to: number } {
  return { from: after === undefined ? 0 : after + 1, to: Math.min(before ?? endOfTime, endOfTime) };
}

/**
 * The fewest buckets that hold each second of a range exactly once: the largest in the middle, smaller ones towards the two
 * edges. The sizes go from large to small and end with `second`.
 */
export function coverRange(range: TimeRange, sizes: readonly BucketSize[]): Stretch[] {
  const { from, to } = secondsOf(range);
  return cover(from, to, sizes);
}

function cover(from: number, to: number, [size, ...smaller]: readonly BucketSize[]): Stretch[] {
  if (from >= to || size === undefined) return [];
  const seconds = bucketSeconds[size];
  const [first, last] = [Math.ceil(from / seconds) * seconds, Math.floor(to / seconds) * seconds];
  if (first >= last) return cover(from, to, smaller);
  return [...cover(from, first, smaller), { size, from: first, to: last }, ...cover(last, to, smaller)];
}
