/** Seconds after one and before another, both excluded; a bound that is missing is open. */
export interface TimeRange {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

/** The sizes of buckets in seconds. A span is 32 days: sales run for months, and no reader should add up hundreds of days. */
export const bucketSeconds = { span: 2_764_800, day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
export type BucketSize = keyof typeof bucketSeconds;

/** An order is counted in one bucket of each of these sizes. */
export const salesBuckets = ['span', 'day', 'hour', 'minute'] as const satisfies readonly BucketSize[];

/** Neighbouring buckets of one size, by the seconds they begin at: `from` is the first, `to` is behind the last. */
export interface TimeSpan {
  readonly size: BucketSize;
  readonly from: number;
  readonly to: number;
}

const secondDigits = 10;

/** Begins a bucket of every size, in the year 2286; nothing is recorded at or after it, so that seconds have ten digits. */
export const endOfTime = Math.floor(10 ** secondDigits / bucketSeconds.span) * bucketSeconds.span;

/** A second in which something was recorded, as text that sorts as the number does: of ten digits, because of the end of time. */
export function recordedSecondText(unix: number): string {
  return String(unix).padStart(secondDigits, '0');
}

export function bucketStart(size: BucketSize, unix: number): number {
  return unix - (unix % bucketSeconds[size]);
}

export function isWholeTime({ after, before }: TimeRange): boolean {
  return after === undefined && before === undefined;
}

/** The seconds of a range: from the first, up to but not the last. Empty ranges have none, and no bound has more digits than a key. */
export function secondsOf({ after, before }: TimeRange): { readonly from: number; readonly to: number } {
  return {
    from: after === undefined ? 0 : Math.min(after + 1, endOfTime),
    to: Math.min(before ?? endOfTime, endOfTime),
  };
}

/**
 * The fewest buckets that hold each second of a range exactly once: the largest in the middle, smaller ones towards the two
 * edges. The sizes go from large to small and end with `second`.
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
