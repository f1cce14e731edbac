import type { Readable } from 'node:stream';
import type { Table } from '../../shared/data/table/table.ts';
import type { Progress } from '../output/progress.ts';
import { type Counts, countOutcomes, noCounts } from './counts.ts';
import type { Dataset } from './dataset.ts';
import type { Format } from './file-format.ts';
import { firstReasons, RejectedFile } from './rejected-file.ts';
import { type CheckedRow, saveBatch } from './save-batch.ts';
import { openSource } from './source.ts';

export interface ImportRequest {
  readonly dataset: Dataset;
  readonly orgId: string;
  readonly file: string;
  readonly format: Format;
  readonly rejectedFile: string;
  /** The number of rows that are saved together. */
  readonly batchRows?: number;
}

export interface ImportDeps {
  readonly table: Table;
  readonly nowUnix: number;
  readonly stdin: Readable;
  readonly progress: Progress;
}

const defaultBatchRows = 250;

/**
 * Imports a file in batches; the whole file is never in memory. After an interruption the same import is run again: rows that are
 * in the table stay as they are.
 */
export async function importFile(request: ImportRequest, deps: ImportDeps): Promise<Counts> {
  const { dataset, orgId, file, batchRows = defaultBatchRows } = request;
  const { table, nowUnix, stdin, progress } = deps;
  const source = await openSource(file, stdin, dataset, request.format);
  const importer = await dataset.importer({ table, orgId, nowUnix });
  // Finishes what an interrupted import saved, even if this file has no rows to save.
  await importer.flush();
  const rejectedFile = new RejectedFile(request.rejectedFile);

  const reasonsOf = firstReasons();
  let counts = noCounts;
  let batch: CheckedRow[] = [];
  const finishBatch = async (): Promise<void> => {
    if (batch.length === 0) return;
    const { outcomes, rejected } = await saveBatch(batch);
    await importer.flush();
    counts = countOutcomes(counts, outcomes);
    rejectedFile.append(rejected);
    const share = source.size === undefined ? undefined : source.bytesRead() / source.size;
    progress.update(rowsText(counts), { count: counts.read, share });
    for (const reason of reasonsOf(rejected)) progress.note(reason);
    batch = [];
  };
  for await (const row of source.rows) {
    batch.push(
      'problem' in row
        ? { line: row.line, checked: { problems: [row.problem] } }
        : { line: row.line, row: row.fields, checked: importer.check(row.fields) },
    );
    if (batch.length === batchRows) await finishBatch();
  }
  await finishBatch();
  return counts;
}

function rowsText({ read, rejected }: Counts): string {
  return rejected === 0 ? `${read} rows` : `${read} rows, ${rejected} rejected`;
}
