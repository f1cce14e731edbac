import { startTimeBudget } from '../../../shared/platform/clock.ts';

/** Ends the search for a shorter history: it is short enough to be read. */
const searchSeconds = 60;

/** A problem without its amounts and ids: two runs show the same one if the equation is the same. */
const equationOf = (problem: string): string =>
  problem
    .split('\n')[0]
    ?.replace(/\d+/g, '0')
    .replace(/\(.*\)/, '') ?? '';

interface Played {
  readonly problems: readonly string[];
}

/**
 * Leaves out steps, ever smaller groups of them, as long as the rest shows the same problem. Ends when no group can be left out, or the time
 * is over: the history is short enough to be read.
 */
export async function shortestHistory<One, Result extends Played>(
  steps: readonly One[],
  first: Result,
  play: (steps: readonly One[]) => Promise<Result>,
): Promise<Result> {
  const hasTime = startTimeBudget(searchSeconds);
  const known = new Set(first.problems.map(equationOf));
  const isSame = ({ problems }: Played): boolean => problems.some((problem) => known.has(equationOf(problem)));
  let [shortest, shown] = [steps, first];
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = shortest.length - size; from > -size; from -= size) {
      if (!hasTime()) return shown;
      const fewer = shortest.filter((_, index) => index < from || index >= from + size);
      const result = fewer.length < shortest.length ? await play(fewer) : shown;
      if (result !== shown && isSame(result)) [shortest, shown] = [fewer, result];
    }
  }
  return shown;
}
