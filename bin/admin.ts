import { resolve } from 'node:path';
import { runAdmin } from '../admin/run.ts';
import { systemClock } from '../shared/platform/clock.ts';

/** The platform team's tool: `npm run admin -- --help`. */
// The SDK's advice about Node versions would stand between the errors that scripts read from stderr.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  clock: systemClock,
  localFile: resolve('.local/admin.json'),
  stdout: (text) => console.log(text),
  stderr: (text) => console.error(text),
  streams: process,
});
