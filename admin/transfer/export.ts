import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from '../output/progress.ts';
import { csvWriter } from './csv.ts';
import type { Dataset, Row, TransferContext } from './dataset.ts';
import { type Format, streamName } from './file-format.ts';
import { keepRows } from './kept-rows.ts';
import { isMetadataColumn } from './metadata-columns.ts';
import { ndjsonWriter } from './ndjson.ts';

/** Rows of one type that can be exported. Datasets can be imported too. */
export type ExportedData = Pick<
  Dataset,
  'name' | 'plural' | 'columns' | 'parentKey' | 'countsParents' | 'total' | 'rows'
> &
  Partial<Pick<Dataset, 'hasMetadata'>>;

type Fields = Readonly<Record<string, unknown>>;

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
  const write = async (written: AsyncIterable<Fields>, columns: readonly string[]): Promise<void> => {
    const writer = format === 'csv' ? csvWriter(columns) : ndjsonWriter();
    await (file === streamName ? pipeline(written, writer, stdout, { end: false }) : writeFile(written, writer, file));
  };
  if (format === 'csv' && dataset.hasMetadata) {
    const folder = file === streamName ? tmpdir() : dirname(file);
    await keepRows(folder, counted(), ({ rows: kept, names }) =>
      write(kept, [...dataset.columns, ...names.filter(isMetadataColumn).toSorted()]),
    );
  } else await write(counted(), dataset.columns);
  return rows;
}

async function writeFile(rows: AsyncIterable<Fields>, writer: Transform, file: string): Promise<void> {
  // The file gets its name when it is complete.
  const draft = `${file}.${process.pid}.part`;
  try {
    // It contains personal data: only its owner may read it.
    await pipeline(rows, writer, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
