import { describe, expect, it } from 'vitest';
import { memoryGrowth } from '../../bench/soak/memory-growth.ts';

const megabyte = 1024 * 1024;
/** Noise that repeats, so the test does too. */
const noise = (index: number): number => ((index * 7) % 5) * megabyte;
const series = (level: (index: number) => number): number[] =>
  Array.from({ length: 60 }, (_, index) => level(index) * megabyte + noise(index));

describe('memory growth of a soak', () => {
  it('memory that grows at the start and then stays is bounded', () => {
    expect(memoryGrowth(series((index) => 400 + Math.min(index, 15) * 20)).isBounded).toBe(true);
    expect(memoryGrowth(series(() => 400)).isBounded).toBe(true);
  });

  it('memory that only varies is bounded', () => {
    expect(memoryGrowth(series((index) => 400 + (index % 6) * 10)).isBounded).toBe(true);
  });

  it('memory that grows at the same rate all the time is not bounded', () => {
    expect(memoryGrowth(series((index) => 400 + index * 5)).isBounded).toBe(false);
  });

  it('memory that grows more in the last third than in the first is not bounded', () => {
    expect(memoryGrowth(series((index) => 400 + index * index * 0.2)).isBounded).toBe(false);
    expect(memoryGrowth(series((index) => 400 + Math.max(0, index - 40) * 10)).isBounded).toBe(false);
  });
});
