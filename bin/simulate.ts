import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { countOf, peopleOf, runSimulation } from '../bench/simulation/command.ts';

/** An on-sale or a full stadium with the physics of AWS, in simulated time: see docs/scale.md. */
const { values, positionals } = parseArgs({
  options: {
    buyers: { type: 'string', default: '5000' },
    prices: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '10' },
    people: { type: 'string' },
    count: { type: 'string' },
    concurrency: { type: 'string', default: '4000' },
    'write-units': { type: 'string', default: '40000' },
    seed: { type: 'string', default: '1' },
    pool: { type: 'boolean', default: false },
    seated: { type: 'boolean', default: false },
    phases: { type: 'boolean', default: false },
    unprepared: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

function writePage(html: string): string {
  const folder = resolve('.local', 'simulations');
  mkdirSync(folder, { recursive: true });
  const path = resolve(folder, `${positionals[0]}.html`);
  writeFileSync(path, html);
  return path;
}

const [scenario] = positionals;
const options = {
  ...values,
  people: values.people ?? peopleOf(scenario),
  count: values.count ?? countOf(scenario),
};
const code = await runSimulation(scenario, options, { log: console.log, error: console.error, writePage });
// A pipe takes 64 KB at once, and exit() would lose the rest of a larger document.
process.stdout.write('', () => process.exit(code));
