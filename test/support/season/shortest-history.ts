import { startTimeBudget } from '../../../shared/platform/clock.ts';
import { currencies } from './club.ts';
import { nothing } from './scene.ts';
import { type ChosenStep, isWait, type PlayedSeason } from './season.ts';

/** Ends the search for a shorter history: it is short enough to be read. */
const searchSeconds = 120;

/** A problem without its amounts and ids: two runs show the same one if the equation is the same. */
const equationOf = (problem: string): string =>
  problem
    .split('\n')[0]
    ?.replace(/\d+/g, '0')
    .replace(/\(.*\)/, '') ?? '';

/** What is probably not needed: steps that found nothing to do, and those of other clubs than the problem names. */
function guessesOf([problem = '']: readonly string[]): readonly ((step: ChosenStep, line: string) => boolean)[] {
  const named = currencies.findIndex((currency) => problem.includes(`org_${currency}`));
  return [(step) => named === -1 || step.club === named || isWait(step), (_step, line) => !line.endsWith(nothing)];
}

/**
 * Leaves out steps, first by guesses and then ever smaller groups of them, as long as the rest shows the same problem. Ends when no group
 * can be left out, or the time is over.
 */
export async function shortestHistory(
  steps: readonly ChosenStep[],
  first: PlayedSeason,
  play: (steps: readonly ChosenStep[]) => Promise<PlayedSeason>,
): Promise<PlayedSeason> {
  const hasTime = startTimeBudget(searchSeconds);
  const known = new Set(first.problems.map(equationOf));
  let [shortest, shown] = [steps.slice(0, first.history.length), first];
  const leaveOut = async (isKept: (step: ChosenStep, index: number) => boolean): Promise<void> => {
    const fewer = shortest.filter(isKept);
    if (fewer.length === shortest.length || !hasTime()) return;
    const result = await play(fewer);
    if (!result.problems.some((problem) => known.has(equationOf(problem)))) return;
    [shortest, shown] = [fewer.slice(0, result.history.length), result];
  };
  for (const guess of guessesOf(first.problems))
    await leaveOut((step, index) => guess(step, shown.history[index] ?? ''));
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = shortest.length - size; from > -size; from -= size) {
      await leaveOut((_step, index) => index < from || index >= from + size);
    }
  }
  return shown;
}
