import { describe, expect, it } from 'vitest';
import { CounterShards } from '../../shared/data/counters/shards.ts';

const event = { orgId: 'org_one', eventId: 512 };
const newShards = (maxShards = 16) =>
  new CounterShards<'day' | 'hour'>({ letter: 'X', shards: 16, maxShards, partitions: { day: 1, hour: 2 } });

describe('counter shards', () => {
  it('a counter shard is kept while there is no conflict, and replaced by any other after each conflict', () => {
    const shards = newShards();
    const seen = new Set<number>();
    let chosen = shards.choose(1);
    for (let conflict = 0; conflict < 500; conflict += 1) {
      expect(shards.choose(1)).toBe(chosen);
      const next = shards.choose(2);
      expect(next).not.toBe(chosen);
      chosen = next;
      seen.add(chosen);
    }
    expect([...seen].sort((one, other) => one - other)).toEqual(Array.from({ length: 16 }, (_, shard) => shard));
  });

  it('each conflict of a transaction doubles the number of counter shards to choose from, up to the maximum', () => {
    const highest = (attempt: number): number => {
      const shards = newShards(100);
      shards.choose(1);
      return Math.max(...Array.from({ length: 3_000 }, () => shards.choose(attempt)));
    };
    expect([1, 2, 3, 4, 12].map(highest)).toEqual([expect.toSatisfy((shard: number) => shard < 16), 31, 63, 99, 99]);
  });

  it('counter shards of one bucket are separate items, in as many partitions as the bucket size has', () => {
    const shards = newShards();
    const keysOf = (size: 'day' | 'hour') =>
      Array.from({ length: shards.count }, (_, shard) => shards.keyOf(event, { size, start: 86_400 }, shard));
    for (const [size, partitions] of [
      ['day', 1],
      ['hour', 2],
    ] as const) {
      const keys = keysOf(size);
      expect(new Set(keys.map(({ pk, sk }) => `${pk}/${sk}`)).size).toBe(16);
      expect(new Set(keys.map(({ pk }) => pk)).size).toBe(partitions);
    }
    expect(keysOf('hour')[15]).toEqual({ pk: expect.stringMatching(/^CNT#org_one#\d+#XH1$/), sk: '0000086400#15' });
  });
});
