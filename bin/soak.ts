import { parseArgs } from 'node:util';
import { soak } from '../bench/soak/soak.ts';

/** Fifteen minutes of mixed and hostile requests, with the memory of every process: `npm run test:soak [-- --minutes 60]`. */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '15' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1)) {
  console.error('npm run test:soak -- [--minutes 1 or more]');
  process.exit(2);
}
const problems = await soak({ minutes, print: (line) => console.log(line) });
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
