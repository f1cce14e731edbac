import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats work while its result is transient, with these pauses. Returns the last result. */
export async function repeatWhile<Result>(
  isTransient: (result: Result) => boolean,
  work: () => Promise<Result>,
  pausesMs: readonly number[],
): Promise<Result> {
  let result = await work();
  for (const pauseMs of pausesMs) {
    if (!isTransient(result)) break;
    await sleep(pauseMs);
    result = await work();
  }
  return result;
}
