/** Units per second of one kind that may be taken, and at most one second of them at once. */
export class Bucket {
  readonly #perSecond: number;
  #units: number;
  #updatedMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#units = perSecond;
    this.#updatedMs = nowMs;
  }

  /** Whether a call may take units now. What it takes is known afterwards, so the last one may take more than is left. */
  hasUnits(nowMs: number): boolean {
    const gained = ((nowMs - this.#updatedMs) / 1000) * this.#perSecond;
    this.#units = Math.min(this.#perSecond, this.#units + gained);
    this.#updatedMs = nowMs;
    return this.#units > 0;
  }

  take(units: number): void {
    this.#units -= units;
  }

  isFull(nowMs: number): boolean {
    return this.hasUnits(nowMs) && this.#units === this.#perSecond;
  }
}

export type Direction = 'read' | 'write';

/** What one partition of DynamoDB serves a second. */
const partitionUnits: Readonly<Record<Direction, number>> = { read: 3_000, write: 1_000 };

/** A range of sort keys of one partition key that has a partition of its own. */
interface KeyRange {
  /** The first sort key of the range. The next range ends it. */
  readonly from: string;
  readonly buckets: Readonly<Record<Direction, Bucket>>;
  /** The last sort keys that were used, to find where to split. */
  readonly recent: string[];
  hotSinceMs: number | undefined;
  lastThrottledMs: number;
}

const coolAfterMs = 10_000;
const recentKeys = 64;

/**
 * The throughput of one partition key. It begins with one partition. When it stays throttled, adaptive capacity splits it
 * between two sort keys, each with the full throughput of a partition. A single item cannot be split, and a split does not help
 * if all writes go to the last sort keys.
 */
export class PartitionKey {
  readonly #ranges: KeyRange[];
  readonly #splitAfterMs: number;

  constructor(nowMs: number, splitAfterMs: number) {
    this.#ranges = [newRange('', nowMs)];
    this.#splitAfterMs = splitAfterMs;
  }

  /** Whether nothing of its past matters any more. */
  isIdle(nowMs: number): boolean {
    const [only, second] = this.#ranges;
    return (
      second === undefined &&
      only !== undefined &&
      (only.hotSinceMs === undefined || nowMs - only.lastThrottledMs > coolAfterMs) &&
      only.buckets.read.isFull(nowMs) &&
      only.buckets.write.isFull(nowMs)
    );
  }

  isThrottled(sortKey: string, direction: Direction, nowMs: number): boolean {
    const range = this.#rangeOf(sortKey);
    if (range === undefined || range.buckets[direction].hasUnits(nowMs)) return false;
    if (range.hotSinceMs === undefined || nowMs - range.lastThrottledMs > coolAfterMs) range.hotSinceMs = nowMs;
    range.lastThrottledMs = nowMs;
    if (nowMs - range.hotSinceMs >= this.#splitAfterMs) this.#split(range, nowMs);
    return true;
  }

  take(sortKey: string, direction: Direction, units: number): void {
    const range = this.#rangeOf(sortKey);
    if (range === undefined) return;
    range.buckets[direction].take(units);
    range.recent.push(sortKey);
    if (range.recent.length > recentKeys) range.recent.shift();
  }

  #rangeOf(sortKey: string): KeyRange | undefined {
    return this.#ranges.findLast(({ from }) => from <= sortKey);
  }

  #split(range: KeyRange, nowMs: number): void {
    range.hotSinceMs = nowMs;
    const sorted = [...range.recent].sort();
    const middle = sorted[Math.floor(sorted.length / 2)];
    // All traffic is for one item, or for the first one: there is nothing to separate.
    if (middle === undefined || middle === sorted[0] || middle <= range.from) return;
    this.#ranges.splice(this.#ranges.indexOf(range) + 1, 0, newRange(middle, nowMs));
  }
}

function newRange(from: string, nowMs: number): KeyRange {
  const buckets = { read: new Bucket(partitionUnits.read, nowMs), write: new Bucket(partitionUnits.write, nowMs) };
  return { from, buckets, recent: [], hotSinceMs: undefined, lastThrottledMs: nowMs };
}

/** The throughput that the table or an index serves at once. */
export type WarmThroughput = Readonly<Record<Direction, number>>;

/** What AWS gives every new on-demand table and index. */
export const newTableThroughput: WarmThroughput = { read: 12_000, write: 4_000 };

const growthMs = 30 * 60_000;

/** The throughput of the whole table: its warm throughput, and after half an hour twice the highest traffic of a second. */
export class TableThroughput {
  readonly #warm: Record<Direction, number>;
  readonly #buckets: Record<Direction, Bucket>;
  readonly #second: Record<Direction, { startMs: number; units: number }>;
  readonly #peaks: { readonly atMs: number; readonly direction: Direction; readonly units: number }[] = [];

  constructor(warm: WarmThroughput, nowMs: number) {
    this.#warm = { ...warm };
    this.#buckets = { read: new Bucket(warm.read, nowMs), write: new Bucket(warm.write, nowMs) };
    this.#second = { read: { startMs: nowMs, units: 0 }, write: { startMs: nowMs, units: 0 } };
  }

  isThrottled(direction: Direction, nowMs: number): boolean {
    this.#grow(nowMs);
    return !this.#buckets[direction].hasUnits(nowMs);
  }

  take(direction: Direction, units: number, nowMs: number): void {
    this.#buckets[direction].take(units);
    const second = this.#second[direction];
    second.units += units;
    if (nowMs - second.startMs < 1000) return;
    if (second.units * 2 > this.#warm[direction]) this.#peaks.push({ atMs: nowMs, direction, units: second.units });
    this.#second[direction] = { startMs: nowMs, units: 0 };
  }

  #grow(nowMs: number): void {
    for (let peak = this.#peaks[0]; peak !== undefined && nowMs - peak.atMs >= growthMs; peak = this.#peaks[0]) {
      this.#peaks.shift();
      if (peak.units * 2 <= this.#warm[peak.direction]) continue;
      this.#warm[peak.direction] = peak.units * 2;
      this.#buckets[peak.direction] = new Bucket(peak.units * 2, nowMs);
    }
  }
}
