interface Limits {
  /** At most so many items are worked on at once. */
  readonly concurrency: number;
  /** And at most so many of one list, so that a list whose work hangs leaves room for the others. */
  readonly perList: number;
}

/** Works on the items of several lists by turns: one of each list, then the next of each. The work must not throw. */
export async function workByTurns<Item>(
  lists: Iterable<readonly Item[]>,
  { concurrency, perList }: Limits,
  isTimeLeft: () => boolean,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = Array.from(lists, (items) => ({ items, next: 0, active: 0 }));
  let turn = 0;
  const take = () => {
    for (let passed = 0; passed < waiting.length; passed += 1) {
      const list = waiting[(turn + passed) % waiting.length];
      const item = list?.items[list.next];
      if (list === undefined || item === undefined || list.active >= perList) continue;
      turn = (turn + passed + 1) % waiting.length;
      list.next += 1;
      list.active += 1;
      return { list, item };
    }
    return undefined;
  };
  // A worker that finds nothing ends: what is left belongs to lists with all of their workers, and these go on.
  const drain = async (): Promise<void> => {
    for (let taken = take(); taken !== undefined && isTimeLeft(); taken = take()) {
      await work(taken.item);
      taken.list.active -= 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, drain));
}
