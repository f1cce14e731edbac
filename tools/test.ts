import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** `npm test`: the checks run beside the tests. Their output follows that of the tests, so both can be read. */
const tests = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
const checks = spawn('npm run check 2>&1', { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });

const [output, [checkStatus], [testStatus]] = await Promise.all([
  text(checks.stdout),
  once(checks, 'close'),
  once(tests, 'close'),
]);
const outcome = (status: unknown): string => (status === 0 ? 'passed' : 'FAILED');
console.log(`\n${output}\nTests ${outcome(testStatus)}, checks ${outcome(checkStatus)}.`);
process.exitCode = testStatus === 0 && checkStatus === 0 ? 0 : 1;
