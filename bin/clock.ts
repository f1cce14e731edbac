import { resolve } from 'node:path';
import { clockUsage, runClock } from '../local/commands/clock.ts';
import { CommandError, findRunning } from '../local/commands/running.ts';

/** Shows or moves the time of the local run: `npm run clock -- +15m`. */
const args = process.argv.slice(2);
try {
  console.log(args.includes('--help') ? clockUsage : await runClock(await findRunning(resolve('.local')), args));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
