import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { bundle } from '../../lib/bundle.ts';
import { atMost, type FigureTable, median, type Target } from '../report/figures.ts';

const folder = fileURLToPath(new URL('../harness', import.meta.url));
/** Each is a new process, as each instance of a function is. */
const starts = 7;
const limitMs = 200;

const documents = ['ticket', 'receipt', 'receipt of 42 lines'] as const;

/** The CPU time of drawing a PDF: the first one of an instance, and later ones. The code is bundled as a function's is. */
export function pdfFindings(progress: (text: string) => void): {
  readonly note: string;
  readonly table: FigureTable;
  readonly targets: readonly Target[];
} {
  const { file } = bundle(['pdf-cpu-program'], [folder]).codeOf('pdf-cpu-program');
  const measured = documents.map((name) => {
    progress(`PDF of a ${name}`);
    const runs = Array.from({ length: starts }, () => timesOf(file, name));
    const firstMs = median(runs.map(([first = 0]) => first));
    return { name, firstMs, laterMs: median(runs.flatMap(([, ...later]) => later)) };
  });
  return {
    note: `The CPU of drawing a PDF, without reading its row: the first one and 20 more in each of ${starts} new processes, medians.`,
    table: {
      title: 'CPU of a PDF',
      columns: ['document', 'first ms', 'later ms'],
      rows: measured.map(({ name, firstMs, laterMs }) => [name, firstMs, laterMs]),
    },
    targets: measured.flatMap(({ name, firstMs, laterMs }) => [
      atMost({ name: `cpu: the first PDF of a ${name} in ms`, value: firstMs, limit: limitMs }),
      atMost({ name: `cpu: a later PDF of a ${name} in ms`, value: laterMs, limit: limitMs }),
    ]),
  };
}

function timesOf(file: string, name: string): readonly number[] {
  const env = { PATH: process.env.PATH ?? '', AWS_REGION: 'eu-west-1' };
  const printed = execFileSync(process.execPath, [file, name], { env, encoding: 'utf8', cwd: tmpdir() });
  return v.parse(v.array(v.number()), JSON.parse(printed));
}
