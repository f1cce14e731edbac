import { resolve } from 'node:path';
import { listenUsage, readListenOptions, startListening } from '../local/commands/listen.ts';
import { CommandError, findRunning } from '../local/commands/running.ts';

/** Shows webhooks as they arrive and forwards them: `npm run listen -- --forward-to http://localhost:4000/hooks`. */
const args = process.argv.slice(2);
try {
  if (args.includes('--help')) console.log(listenUsage);
  else {
    const options = readListenOptions(args);
    const running = await findRunning(resolve('.local'));
    const { secret, stop } = await startListening(running, options, (line) => console.log(line));
    console.log(`Listening for webhooks of ${running.organisation}. Their signing secret: ${secret}`);
    console.log('Press Ctrl-C to stop.');
    let isStopping = false;
    // Ctrl-C under npm sends SIGINT twice. Both are one request to stop.
    const end = () => {
      if (!isStopping) void stop().finally(() => process.exit());
      isStopping = true;
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  }
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
