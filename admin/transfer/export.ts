import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from '../output/progress.ts';
import { csvWriter } from './csv.ts';
import type { Dataset, Row, TransferContext } from './dataset.ts';
import { type Format, streamName } from './file-format.ts';

/** Rows of one type that can be exported. Datasets can be imported too. */
export type ExportedData = Pick<
  Dataset,
  'name' | 'plural' | 'columns' | 'parentKey' | 'countsParents' | 'total' | 'rows'
>;

export interface ExportRequest {
  readonly dataset: ExportedData;
  readonly file: string;
  readonly format: Format;
}

/** Writes every row in the format that imports read, and returns their number. The whole export is never in memory. */
export async function exportFile(
  { dataset, file, format }: ExportRequest,
  context: TransferContext,
  { stdout, progress }: { readonly stdout: Writable; readonly progress: Progress },
): Promise<number> {
  let rows = 0;
  const total = await dataset.total(context);
  const parents = new Set<unknown>();
  async function* counted(): AsyncGenerator<Row> {
    for await (const row of dataset.rows(context, (line) => progress.note(line))) {
      rows += 1;
      parents.add(row[dataset.parentKey ?? '']);
      const done = dataset.countsParents ? parents.size : rows;
      progress.update(`${rows} rows`, { count: rows, share: Math.min(1, done / Math.max(1, total)) });
      yield row;
    }
  }
  const writer = format === 'csv' ? csvWriter(dataset.columns) : ndjsonWriter();
  if (file === streamName) {
    await pipeline(counted, writer, stdout, { end: false });
    return rows;
  }
  // The file gets its name when it is complete.
  const draft = `${file}.${process.pid}.part`;
  try {
    // It contains personal data: only its owner may read it.
    await pipeline(counted, writer, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return rows;
}

function ndjsonWriter(): Transform {
  return new Transform({
    writableObjectMode: true,
    transform: (row, _encoding, done) => done(null, `${JSON.stringify(row)}\n`),
  });
}
