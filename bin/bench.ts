import { parseArgs } from 'node:util';
import { type Part, partNames, parts } from '../bench/parts.ts';
import { mergeFindings, reportPath } from '../bench/report/results-file.ts';
import { targetTable, textTable } from '../bench/report/text-table.ts';

// Set before a part is loaded: the measured code formats its log, but nothing prints it.
process.env.LOG = 'off';

const { values, positionals: named } = parseArgs({
  options: { largest: { type: 'string', default: '100000' } },
  allowPositionals: true,
});
const wanted = partNames.filter((name) => named.length === 0 || named.includes(name));
const unknown = named.filter((name) => !partNames.some((part) => part === name));
const largest = Number(values.largest);
if (unknown.length > 0 || !Number.isInteger(largest) || largest < 1_000) {
  console.error(`npm run bench -- [${partNames.join('|')} …] [--largest 1000|10000|100000]`);
  process.exit(2);
}

const began = performance.now();
const seconds = (since: number): number => (performance.now() - since) / 1000;

/** The names of the targets that the part missed. */
async function measure(name: Part): Promise<readonly string[]> {
  const started = performance.now();
  const progress = (text: string): void =>
    console.error(`[${seconds(began).toFixed(0).padStart(4)} s] ${name}: ${text}`);
  progress('starting');
  const findings = await (await parts[name]())({ largest, progress });
  for (const table of [...findings.tables, targetTable(findings.targets)]) console.log(textTable(table));
  mergeFindings(name, partNames, findings, seconds(started));
  return findings.targets.filter(({ met }) => !met).map((target) => target.name);
}

const missed: string[] = [];
for (const name of wanted) missed.push(...(await measure(name)));
for (const name of missed) console.error(`✗ ${name}`);
console.log(`\nReport: ${reportPath}`);
process.exit(missed.length === 0 ? 0 : 1);
