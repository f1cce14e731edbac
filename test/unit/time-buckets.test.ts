import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverScans, scanSlots } from '../../shared/domain/scans/counts.ts';
import {
  bucketSeconds,
  coverRange,
  endOfTime,
  recordedSecondText,
  salesBuckets,
  secondsOf,
  type TimeRange,
  type TimeSpan,
} from '../../shared/domain/time/time-buckets.ts';

const sizes = [...salesBuckets, 'second'] as const;
const day = 20_000 * 86_400;
/** Bounds on and around the edges of every kind of bucket, and anywhere else. */
const bound = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...Object.values(bucketSeconds)),
      fc.integer({ min: -3, max: 3 }),
      fc.integer({ min: -2, max: 2 }),
    )
    .map(([seconds, count, shift]) => Math.floor(day / seconds) * seconds + count * seconds + shift),
  fc.integer({ min: day - 200_000_000, max: day + 200_000_000 }),
);
const range: fc.Arbitrary<TimeRange> = fc.record({
  after: fc.option(bound, { nil: undefined }),
  before: fc.option(bound, { nil: undefined }),
});

const length = ({ from, to }: { from: number; to: number }): number => to - from;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const holds = ({ from, to }: { from: number; to: number }, unix: number): boolean => unix >= from && unix < to;

describe('time buckets of a range', () => {
  it('time buckets contain each second of the range once, and no other', () => {
    fc.assert(
      fc.property(range, bound, (wanted, unix) => {
        const spans = coverRange(wanted, sizes);
        const seconds = secondsOf(wanted);
        expect(sum(spans.map(length))).toBe(Math.max(0, length(seconds)));
        expect(spans.filter((span) => holds(span, unix))).toHaveLength(holds(seconds, unix) ? 1 : 0);
        for (const { size, from, to } of spans) {
          expect([from % bucketSeconds[size], to % bucketSeconds[size]]).toEqual([0, 0]);
        }
      }),
    );
  });

  it('time buckets are few, however long the range', () => {
    const buckets = ({ size, from, to }: TimeSpan): number => (to - from) / bucketSeconds[size];
    fc.assert(
      fc.property(range, (wanted) => {
        const spans = coverRange(wanted, sizes);
        const count = (size: string): number => sum(spans.filter((each) => each.size === size).map(buckets));
        expect(spans.length).toBeLessThanOrEqual(9);
        expect(count('second')).toBeLessThanOrEqual(2 * 59);
        expect(count('minute')).toBeLessThanOrEqual(2 * 59);
        expect(count('hour')).toBeLessThanOrEqual(2 * 23);
        expect(count('day')).toBeLessThanOrEqual(2 * 31);
      }),
    );
  });

  it('time buckets are empty after the last possible second, which sorts behind any key', () => {
    const { from, to } = secondsOf({ after: 9_999_999_999 });
    expect(from).toBeGreaterThanOrEqual(to);
    expect(recordedSecondText(from) >= recordedSecondText(to)).toBe(true);
  });

  it('time buckets are only the largest ones when the range has no bounds', () => {
    expect(coverRange({}, sizes)).toEqual([{ size: 'span', from: 0, to: endOfTime }]);
    expect(coverRange({ after: 9_999_999_999 }, sizes)).toEqual([]);
    expect(coverRange({ after: 50, before: 51 }, sizes)).toEqual([]);
  });
});

describe('time buckets that scans are counted in', () => {
  it('scan buckets count a second once if it lies in the range, and not otherwise', () => {
    fc.assert(
      fc.property(range, bound, (wanted, unix) => {
        const { days, whole, edges } = coverScans(wanted);
        const counted = scanSlots(unix).map(({ bucket, start, slot }) => {
          const isWhole = bucket === 'day' && holds(whole, start);
          const parts = edges.filter((edge) => edge.bucket === bucket && edge.start === start);
          const within = parts.filter(({ fromSlot, toSlot }) => slot >= fromSlot && slot < toSlot);
          const isRead = bucket !== 'day' || (days !== undefined && holds(days, start));
          if (isWhole || within.length > 0) expect(isRead).toBe(true);
          return (isWhole ? 1 : 0) + within.length;
        });
        expect(sum(counted)).toBe(holds(secondsOf(wanted), unix) ? 1 : 0);
        expect(edges.filter(({ bucket }) => bucket !== 'day').length).toBeLessThanOrEqual(4);
      }),
    );
  });
});
