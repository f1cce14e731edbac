import { describe, expect, it } from 'vitest';
import { workByTurns } from '../../shared/platform/work-by-turns.ts';

const always = () => true;

describe('work by turns', () => {
  it('takes one of each list, then the next of each, until all are done', async () => {
    const done: string[] = [];
    const lists = [['a1', 'a2', 'a3', 'a4'], ['b1'], ['c1', 'c2']];
    await workByTurns(lists, { concurrency: 1, perList: 1 }, always, async (item) => void done.push(item));
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
  });

  it('a list whose work hangs leaves room for the others', async () => {
    const done: string[] = [];
    let release = () => {};
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    const others = Array.from({ length: 50 }, (_, index) => `b${index}`);
    const working = workByTurns(
      [Array.from({ length: 50 }, (_, index) => `a${index}`), others],
      { concurrency: 4, perList: 2 },
      always,
      async (item) => {
        if (item.startsWith('a')) await hanging;
        done.push(item);
        if (done.length === others.length) release();
      },
    );
    await working;
    expect(done.slice(0, others.length)).toEqual(others);
    expect(done).toHaveLength(100);
  });

  it('begins nothing when the time is over', async () => {
    const done: number[] = [];
    const work = async (item: number) => void done.push(item);
    await workByTurns([[1, 2, 3, 4, 5]], { concurrency: 1, perList: 1 }, () => done.length < 3, work);
    expect(done).toEqual([1, 2, 3]);
  });
});
