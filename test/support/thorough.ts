import { describe, it, type TestAPI } from 'vitest';

/** `npm run test:faults` sets it. It runs all test files that import this one, besides its own. */
export const isThorough = process.env.TESTS === 'thorough';

const notDeclared = Object.assign(() => {}, { each: () => () => {} }) as unknown as TestAPI;

/** `it`, or nothing: only tests that run are declared, so a skipped test means that something is missing on the machine. */
export const itIf = (isDeclared: boolean): TestAPI => (isDeclared ? it : notDeclared);

/** A long test, which only `npm run test:faults` runs: `npm test` takes a few minutes. */
export const longTest = itIf(isThorough);

/** A suite of long tests. */
export function longSuite(title: string, declare: () => void): void {
  if (isThorough) describe(title, declare);
}

/** How much a test does: little in `npm test`, much in `npm run test:faults`. */
export const amount = (little: number, much: number): number => (isThorough ? much : little);

/** Of a list of like cases, every nth in `npm test`, and all in `npm run test:faults`. */
export const someOf = <Value>(values: readonly Value[], every: number): readonly Value[] =>
  values.filter((_, index) => isThorough || index % every === 0);

/**
 * The calls at which a test injects a crash: all of them in `npm run test:faults`; in `npm test` each power of two, for
 * which the last calls of long work are far apart. The test ends the loop when its work made fewer calls.
 */
export function* crashPoints(): Generator<number> {
  for (let call = 1; ; call += isThorough ? 1 : call) yield call;
}

/**
 * Where at a call a process dies. Before a call, the table is as after the call before it, so `npm test` has one of the two. `npm run test:faults`
 * has both, as calls that a process sends at the same time tell them apart.
 */
export const crashMoments: readonly ('before' | 'after')[] = isThorough ? ['before', 'after'] : ['after'];
