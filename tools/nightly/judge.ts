import type { Nightly } from './progress.ts';
import type { Failure, UnitResult } from './report.ts';
import type { CommandEnd } from './run-command.ts';
import type { Suite } from './suites.ts';

/** A command that cannot run on this machine says so in a line of its own. */
export const skippedBecause = ({ output, status }: CommandEnd): string | undefined =>
  status === 0 ? /^Skipped: (.*)$/m.exec(output)?.[1] : undefined;

export const partsSkipped = ({ output }: CommandEnd): string[] =>
  [...output.matchAll(/^skipped +(.*)$/gm)].map(([, why = '']) => why);

/** A shell ends with more than 128 when a signal ended its command. */
export function outcomeOf({ status, killed }: CommandEnd): UnitResult['outcome'] {
  if (killed !== undefined || (status ?? 0) > 128) return 'killed';
  return status === 0 ? 'passed' : 'failed';
}

export function failureOf(nightly: Nightly, suite: Suite, args: readonly string[], end: CommandEnd): Failure {
  const why = end.killed ?? `It ended with status ${end.status}.`;
  const message = [why, ...end.output.trimEnd().split('\n').slice(-20)].join('\n');
  return { test: '', message, repeat: repeated(nightly, suite, args) };
}

/** Vitest compares the pattern with the titles of the suites and the test, between which are spaces. */
export const titlePattern = (test: string): string[] =>
  test === '' ? [] : ['-t', `'${test.replaceAll(' > ', ' ').replaceAll(/[^\w ,-]/g, '.')}'`];

export const repeated = (nightly: Nightly, suite: Suite, args: readonly string[]): string =>
  [`SEED=${nightly.about.seed}`, ...nightly.commandOf(suite, args)].join(' ');
