import { inspect } from 'node:util';
import { startDemoSite } from '../examples/demo/start-demo-site.ts';
import { CloudError } from '../local/cloud/cloud-error.ts';
import { exitOnSignals } from '../local/run/exit-on-signals.ts';
import { explainEnd, watchEnd } from '../local/run/run-end.ts';
import { readSettings, StartError, wantsShop } from '../local/run/settings.ts';
import { startGateline } from '../local/run/start.ts';

/** Runs the whole service and the sample shop with its office on this machine: `npm start [-- --no-shop]`. */
// A closed terminal or a log file on a full disk must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
watchEnd();
try {
  // Functions share this process and its time zone. Lambda's time zone is UTC.
  process.env.TZ = 'UTC';
  const starting = startGateline(readSettings(process.env, process.cwd()), {
    startShop: wantsShop(process.argv.slice(2)) ? startDemoSite : undefined,
  });
  exitOnSignals(starting);
  await starting;
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof CloudError;
  explainEnd(isExpected ? error.message : inspect(error));
  process.exit(1);
}
