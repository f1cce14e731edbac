import { join } from 'node:path';
import type { Nightly } from './progress.ts';
import { type CommandEnd, runCommand } from './run-command.ts';
import type { Suite } from './suites.ts';

/** A suite that takes this many times as long as it should hangs. */
const patience = 4;

interface Started {
  readonly args: readonly string[];
  readonly unit: string;
  /** The file that gets what vitest says about test files. */
  readonly events?: string;
}

export function start(nightly: Nightly, suite: Suite, { args, unit, events = '' }: Started): Promise<CommandEnd> {
  return runCommand({
    command: nightly.commandOf(suite, args),
    env: { SEED: String(nightly.about.seed), NIGHTLY_RESULTS: events },
    log: join(nightly.folder, `${suite.name}-${unit}.log`),
    limitMinutes: suite.minutes * patience,
    signal: nightly.signal,
  });
}
