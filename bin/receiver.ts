import { readOptions, UsageError, usage } from '../local/receiver/options.ts';
import { startReceiver } from '../local/receiver/server.ts';

/** An example receiver of webhooks: `npm run receiver -- --secret whsec_…`. */
try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') console.log(usage);
  else {
    const { url } = await startReceiver(options, (line) => console.log(line));
    console.log(`Listening for webhooks at ${url} (${options.behaviour}). Press Ctrl-C to stop.`);
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 1;
}
