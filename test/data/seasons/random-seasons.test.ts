import { expect, it, vi } from 'vitest';
import { type ChosenStep, chosenSteps, playSeason } from '../../support/season/season.ts';
import { shortestHistory } from '../../support/season/shortest-history.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

await givenStackSecret();
vi.stubEnv('PAYMENTS', 'sandbox');

/** `npm run test:season` plays many, on the model of the table. */
const { SEASONS = String(amount(1, 3)), SEASON_STEPS = String(amount(120, 300)), SEED } = process.env;
const seeds = Array.from({ length: Number(SEASONS) }, (_, index) => Number(SEED) + index);

const play = async (steps: readonly ChosenStep[]) => playSeason((await createTestTable()).table, steps);

it.each(seeds)('every equation of the audit holds after a random season of three clubs: SEED=%d', async (seed) => {
  const steps = chosenSteps(seed, Number(SEASON_STEPS));
  const played = await play(steps);
  if (played.problems.length === 0) return;
  const { history, problems } = await shortestHistory(steps.slice(0, played.history.length), played, play);
  const repeat = `SEED=${seed} SEASONS=1 SEASON_STEPS=${SEASON_STEPS}`;
  expect.fail(
    [...problems, `after ${played.history.length} steps of ${repeat}, or after these:`, ...history].join('\n'),
  );
});
