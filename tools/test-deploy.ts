import { missingRequirement } from './emulator/install.ts';
import { testDeployment } from './emulator/run.ts';

/** `npm run test:deploy`: deploys to an emulator of AWS, tests the deployment and destroys it. */
const missing = missingRequirement();
if (missing === undefined) {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());
  const problems = await testDeployment(interruption.signal);
  for (const problem of problems) console.error(`✗ ${problem}`);
  process.exit(problems.length === 0 ? 0 : 1);
}
console.log(`Skipped: ${missing}, which the emulator of AWS needs.`);
