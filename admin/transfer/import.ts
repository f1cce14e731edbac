import type { Readable } from 'node:stream';
import type { Table } from '../../shared/data/table/table.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import type { Progress } from '../output/progress.ts';
import { CheckpointFile } from './checkpoint.ts';
import { type Counts, countOutcomes, noCounts } from './counts.ts';
import type { Dataset } from './dataset.ts';
import { type Format, streamName } from './file-format.ts';
import { firstReasons, RejectedFile } from './rejected-file.ts';
import { type CheckedRow, saveBatch } from './save-batch.ts';
import { openSource } from './source.ts';

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
  const { dataset, orgId, file, resume, batchRows = defaultBatchRows } = request;
  const { table, clock, stdin, progress } = deps;
  const source = await openSource(file, stdin, dataset, request.format);
  const checkpoint =
    file === streamName ? undefined : new CheckpointFile(file, { dataset: dataset.name, orgId, source });
  const reached = resume ? await checkpoint?.read() : undefined;
  const rejectedFile = new RejectedFile(request.rejectedFile);
  const importer = await dataset.importer({ table, orgId, clock });
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

function rowsText({ read, rejected }: Counts): string {
  return rejected === 0 ? `${read} rows` : `${read} rows, ${rejected} rejected`;
}
