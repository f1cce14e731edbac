import type { Readable } from 'node:stream';
import type { Table } from '../../shared/data/table/table.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import type { Progress } from '../output/progress.ts';
import { CheckpointFile, identityOf } from './checkpoint.ts';
import { type Counts, countOutcomes, noCounts } from './counts.ts';
import type { Dataset, Importer } from './dataset.ts';
import { type Format, streamName } from './file-format.ts';
import { firstReasons, RejectedFile } from './rejected-file.ts';
import { type CheckedRow, saveBatch } from './save-batch.ts';
import { openSource, type Source } from './source.ts';
import { spooled } from './spool.ts';

export interface ImportRequest {
  readonly dataset: Dataset;
  readonly orgId: string;
  readonly file: string;
  readonly format: Format;
  readonly rejectedFile: string;
  readonly resume: boolean;
  /** The number of rows between two checkpoints. */
  readonly batchRows?: number;
}

export interface ImportDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly stdin: Readable;
  readonly progress: Progress;
}

const defaultBatchRows = 250;

/**
 * Imports a file in batches; the whole file is never in memory. After every batch, the table, the file of rejected rows and
 * the checkpoint agree. After an interruption, the rows since the last checkpoint are saved again, which changes nothing.
 */
export async function importFile(request: ImportRequest, deps: ImportDeps): Promise<Counts> {
  const { dataset, orgId, file } = request;
  const { table, clock, stdin } = deps;
  const importer = await dataset.importer({ table, orgId, clock });
  const importFrom = (name: string) => importRows({ ...request, importer, name }, deps);
  // Keys are reserved before the first row is saved, so such a file is read twice.
  return file === streamName && importer.reserve !== undefined ? spooled(stdin, importFrom) : importFrom(file);
}

interface RowsRequest extends ImportRequest {
  readonly importer: Importer;
  /** The file that has the rows: that of the request, or a copy of stdin. */
  readonly name: string;
}

async function importRows(request: RowsRequest, { table, stdin, progress }: ImportDeps): Promise<Counts> {
  const { importer, dataset, orgId, file, name, format, resume, batchRows = defaultBatchRows } = request;
  const source = await openSource(name, stdin, dataset, format);
  const checkpoint =
    file === streamName
      ? undefined
      : new CheckpointFile(file, { dataset: dataset.name, orgId, table: await identityOf(table), source });
  const reached = resume ? await checkpoint?.read() : undefined;
  const rejectedFile = new RejectedFile(request.rejectedFile);
  await importer.reserve?.(keysOf(importer, await openSource(name, stdin, dataset, format)));
  // Finishes what an interrupted import saved, even if this file has no rows to save.
  await importer.flush();
  rejectedFile.startAt(reached?.rejectedBytes ?? 0);

  const reasonsOf = firstReasons();
  let counts = reached?.counts ?? noCounts;
  let batch: CheckedRow[] = [];
  const finishBatch = async (): Promise<void> => {
    const last = batch.at(-1);
    if (last === undefined) return;
    const { outcomes, rejected } = await saveBatch(batch);
    await importer.flush();
    counts = countOutcomes(counts, outcomes);
    rejectedFile.append(rejected);
    checkpoint?.write({ line: last.line, rejectedBytes: rejectedFile.bytes, counts });
    const share = source.size === undefined ? undefined : source.bytesRead() / source.size;
    progress.update(rowsText(counts), { count: counts.read, share });
    for (const reason of reasonsOf(rejected)) progress.note(reason);
    batch = [];
  };
  for await (const row of source.rows) {
    if (row.line <= (reached?.line ?? 0)) continue;
    batch.push(
      'problem' in row
        ? { line: row.line, checked: { problems: [row.problem] } }
        : { line: row.line, row: row.fields, checked: importer.check(row.fields) },
    );
    if (batch.length === batchRows) await finishBatch();
  }
  await finishBatch();
  checkpoint?.remove();
  return counts;
}

/** The keys of the rows that can be saved. */
async function* keysOf(importer: Importer, { rows }: Source): AsyncGenerator<string> {
  for await (const row of rows) {
    const checked = 'problem' in row ? undefined : importer.check(row.fields);
    if (checked !== undefined && 'key' in checked) yield checked.key;
  }
}

function rowsText({ read, rejected }: Counts): string {
  return rejected === 0 ? `${read} rows` : `${read} rows, ${rejected} rejected`;
}
