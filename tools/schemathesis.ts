import { readOptions } from './schemathesis/options.ts';
import { isInstalled, runSchemathesis } from './schemathesis/run.ts';

/** `npm run test:schemathesis [-- --url <url> --key <key>] [--examples 25] [--seed 1] [--only <operation id> …]` */
process.env.TZ = 'UTC';
const options = readOptions(process.argv.slice(2));
if ('refusal' in options) {
  console.error(options.refusal);
  process.exitCode = 1;
} else if (!isInstalled()) {
  console.log('Skipped: schemathesis is not installed. Install it with: pip install schemathesis');
} else {
  process.exit((await runSchemathesis(options)) ? 0 : 1);
}
