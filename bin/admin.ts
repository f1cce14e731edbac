import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAdmin } from '../admin/run.ts';
import { systemClock } from '../shared/platform/clock.ts';

/** The operator CLI: `npm run admin -- --help`. */
// `… | head` closes the pipe when it has read enough. That ends the command and is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  clock: systemClock,
  localFile: resolve('.local/admin.json'),
  publicKeysFile: fileURLToPath(new URL('../lib/signing-keys.json', import.meta.url)),
  streams: process,
});
