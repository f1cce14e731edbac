import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { type Findings, Results } from './figures.ts';
import { reportText } from './report-text.ts';

const folder = new URL('../results/', import.meta.url);
const file = new URL('latest.json', folder);

export const reportPath = fileURLToPath(new URL('report.md', folder));

/** Replaces the stored findings of one part and keeps those of the others. */
export function mergeFindings(part: string, order: readonly string[], findings: Findings, seconds: number): void {
  const before: Results = existsSync(file)
    ? v.parse(Results, JSON.parse(readFileSync(file, 'utf8')))
    : { targets: [], parts: {} };
  const run = {
    at: new Date().toISOString().slice(0, 16),
    node: process.version,
    cores: availableParallelism(),
    seconds: Math.round(seconds),
    ...findings,
  };
  const known = { ...before.parts, [part]: run };
  const parts = Object.fromEntries(order.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
  const results: Results = { targets: Object.values(parts).flatMap(({ targets }) => targets), parts };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(reportPath, reportText(results));
}
