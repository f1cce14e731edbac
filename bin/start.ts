import { CloudError } from '../local/cloud/cloud-error.ts';
import { endOnSignals } from '../local/run/exit-on-signals.ts';
import { CannotStart, readSettings } from '../local/run/settings.ts';
import { startGateline } from '../local/run/start.ts';

/** Runs the whole service on this machine: `npm start`. */
try {
  // Functions share this process and its time zone. Lambda's time zone is UTC.
  process.env.TZ = 'UTC';
  endOnSignals(await startGateline(readSettings(process.env, process.cwd())));
} catch (error) {
  const isForPeople = error instanceof CannotStart || error instanceof CloudError;
  console.error(isForPeople ? error.message : error);
  process.exit(1);
}
