import { eraseAgainIn } from '../admin/person/erase-again.ts';
import { systemClock } from '../shared/platform/clock.ts';
import { restoreLocal } from '../tools/restore/restore-local.ts';
import type { EraseAgain } from '../tools/restore/restore-table.ts';

/** Restores the table of a stage, `npm run restore -- --stage prod --table gateline-prod-2`, or of the local run with --local. */
const args = process.argv.slice(2);
const requestId = `cli_restore_${systemClock.nowMs()}`;
const output = {
  eraseAgain: ((restored, list, clock) => eraseAgainIn(restored, list, { clock, requestId })) satisfies EraseAgain,
  print: (line: string) => console.log(line),
  printError: (line: string) => console.error(line),
};
if (args.includes('--local')) {
  process.exitCode = await restoreLocal(args, { ...output, environment: process.env, directory: process.cwd() });
} else {
  // Imports the CDK's configuration, which takes seconds, only for a stage.
  const { restore } = await import('../tools/restore/restore.ts');
  process.exitCode = await restore(args, output);
}
