import { resolve } from 'node:path';
import { smoke } from '../admin/smoke/smoke.ts';

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());

/** Proves on a deployed stage what no test can prove: `npm run smoke -- --stage dev`. */
process.exitCode = await smoke(process.argv.slice(2), {
  environment: process.env,
  localFolder: resolve('.local'),
  interruption: interruption.signal,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
