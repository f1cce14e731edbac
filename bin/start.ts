import { CloudError } from '../local/cloud/cloud-error.ts';
import { exitOnSignals } from '../local/run/exit-on-signals.ts';
import { readSettings, StartError } from '../local/run/settings.ts';
import { startGateline } from '../local/run/start.ts';

/** Runs the whole service on this machine: `npm start`. */
try {
  // Functions share this process and its time zone. Lambda's time zone is UTC.
  process.env.TZ = 'UTC';
  exitOnSignals(await startGateline(readSettings(process.env, process.cwd())));
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof CloudError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
}
