import { resolve } from 'node:path';
import { runAdmin } from '../admin/run.ts';
import { CommandError, findRunning } from '../local/commands/running.ts';
import { trigger, triggerUsage } from '../local/commands/trigger.ts';
import { systemClock } from '../shared/platform/clock.ts';

/** Makes a webhook event happen on the demo: `npm run trigger -- order.refunded`. */
const [type, ...rest] = process.argv.slice(2);

/** The CLI prints its result, which would be between the lines of this command. Its errors are shown. */
async function admin(...args: readonly string[]): Promise<void> {
  const streams = { stdin: process.stdin, stdout: process.stderr, stderr: process.stderr };
  const surroundings = { environment: process.env, clock: systemClock, publicKeysFile: '', streams };
  const exitCode = await runAdmin(['--local', ...args], { ...surroundings, localFile: resolve('.local/admin.json') });
  if (exitCode !== 0) throw new CommandError(`npm run admin -- --local ${args.join(' ')} has failed.`);
}

try {
  if (type === undefined || type === '--help' || rest.length > 0) console.log(triggerUsage);
  else console.log(JSON.stringify(await trigger({ ...(await findRunning(resolve('.local'))), admin }, type), null, 2));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
