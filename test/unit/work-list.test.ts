import { describe, expect, it } from 'vitest';
import { WorkList } from '../../shared/platform/work-list.ts';

describe('work list', () => {
  it('does everything that is added, also by its own work, and never more at once than it may', async () => {
    let active = 0;
    let most = 0;
    const done: number[] = [];
    const list = new WorkList<number>(
      3,
      () => true,
      async (item) => {
        active += 1;
        most = Math.max(most, active);
        await Promise.resolve();
        if (item < 50) list.add(item + 50);
        done.push(item);
        active -= 1;
      },
    );
    for (let item = 0; item < 50; item += 1) list.add(item);
    await list.settled();
    expect(done.sort((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, item) => item));
    expect(most).toBe(3);
    list.add(100);
    await list.settled();
    expect(done).toHaveLength(101);
  });

  it('an item that is added in any step of the end of another is done', async () => {
    for (let steps = 0; steps < 10; steps += 1) {
      const done: string[] = [];
      const list = new WorkList<string>(
        1,
        () => true,
        async (item) => {
          done.push(item);
        },
      );
      list.add('first');
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      list.add('second');
      await list.settled();
      expect(done, `after ${steps} steps`).toEqual(['first', 'second']);
    }
  });

  it('begins nothing once the time is over', async () => {
    let left = 2;
    const done: number[] = [];
    const list = new WorkList<number>(
      1,
      () => left-- > 0,
      async (item) => {
        done.push(item);
      },
    );
    for (const item of [1, 2, 3]) list.add(item);
    await list.settled();
    expect(done).toEqual([1, 2]);
  });
});
