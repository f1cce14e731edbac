import { parseArgs } from 'node:util';
import { soak } from '../bench/soak/soak.ts';

/** Fifteen minutes of mixed and hostile requests, with the memory of every process: `npm run test:soak [-- --minutes 60 --rate 5]`. */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '15' }, rate: { type: 'string' } },
});
const minutes = Number(values.minutes);
const perSecond = values.rate === undefined ? undefined : Number(values.rate);
if (!(minutes >= 1) || (perSecond !== undefined && !(perSecond > 0))) {
  console.error('npm run test:soak -- [--minutes 1 or more] [--rate requests a second]');
  process.exit(2);
}
const problems = await soak({ minutes, perSecond, print: (line) => console.log(line) });
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
