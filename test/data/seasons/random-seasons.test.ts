import { expect, it, vi } from 'vitest';
import { type ChosenStep, chosenSteps, playSeason } from '../../support/season/season.ts';
import { shortestHistory } from '../../support/season/shortest-history.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

await givenStackSecret();
vi.stubEnv('PAYMENTS', 'sandbox');

/** `npm run test:season` plays many, on the model of the table. */
const { SEASONS = String(amount(1, 2)), SEASON_STEPS = String(amount(120, 200)), SEED } = process.env;
const seeds = Array.from({ length: Number(SEASONS) }, (_, index) => Number(SEED) + index);

const play = async (steps: readonly ChosenStep[]) => playSeason((await createTestTable()).table, steps);

/** Only ends a hang: a failing season is played again and again, to find the shortest history. */
const timeoutMs = 600_000;

async function expectEquations(seed: number): Promise<void> {
  const steps = chosenSteps(seed, Number(SEASON_STEPS));
  const played = await play(steps);
  if (played.problems.length === 0) return;
  const { history, problems } = await shortestHistory(steps, played, play);
  const repeat = `SEED=${seed} SEASONS=1 SEASON_STEPS=${SEASON_STEPS}`;
  expect.fail(
    [...problems, `after ${played.history.length} steps of ${repeat}, or after these:`, ...history].join('\n'),
  );
}

it.each(seeds)(
  'every equation of the audit holds after a random season of three clubs: SEED=%d',
  expectEquations,
  timeoutMs,
);
