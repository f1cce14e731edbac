import type { Readable } from 'node:stream';
import type { Table } from '../../shared/data/table/table.ts';
import { CheckpointFile } from './checkpoint.ts';
import { type Counts, countOutcomes, noCounts } from './counts.ts';
import type { TransferKind } from './dataset.ts';
import type { Progress } from './progress.ts';
import { RejectedFile } from './rejected-file.ts';
import { type CheckedRow, saveBatch } from './save-batch.ts';
import { type Format, openSource, streamName } from './source.ts';

export interface ImportRequest {
  readonly kind: TransferKind;
  readonly orgId: string;
  readonly file: string;
  readonly format: Format;
  readonly rejectedFile: string;
  readonly resume: boolean;
  /** How many rows are saved between two checkpoints. */
  readonly batchRows?: number;
}

export interface ImportSurroundings {
  readonly table: Table;
  readonly nowUnix: number;
  readonly stdin: Readable;
  readonly progress: Progress;
}

const defaultBatchRows = 250;

/**
 * Imports a file batch by batch, in flat memory. What is in the table, in the file of rejected rows and in the checkpoint
 * agrees after every batch; wherever an import is cut off, rows after the last checkpoint are saved once more, which
 * changes nothing.
 */
export async function importFile(request: ImportRequest, surroundings: ImportSurroundings): Promise<Counts> {
  const { kind, orgId, file, resume, batchRows = defaultBatchRows } = request;
  const { table, nowUnix, stdin, progress } = surroundings;
  const source = await openSource(file, stdin, kind, request.format);
  const checkpoint = file === streamName ? undefined : new CheckpointFile(file, { kind: kind.name, orgId, source });
  const reached = resume ? await checkpoint?.read() : undefined;
  const rejects = new RejectedFile(request.rejectedFile);
  const importer = await kind.importer({ table, orgId, nowUnix });
  // What an earlier run saved but did not settle is settled even if this file has nothing to save.
  await importer.settle();
  rejects.startAt(reached?.rejectedBytes ?? 0);

  let counts = reached?.counts ?? noCounts;
  let batch: CheckedRow[] = [];
  const finishBatch = async (): Promise<void> => {
    const last = batch.at(-1);
    if (last === undefined) return;
    const { outcomes, rejected } = await saveBatch(batch);
    await importer.settle();
    counts = countOutcomes(counts, outcomes);
    rejects.append(rejected);
    checkpoint?.write({ line: last.line, rejectedBytes: rejects.bytes, counts });
    progress.batch({
      counts,
      rejected,
      share: source.size === undefined ? undefined : source.bytesRead() / source.size,
    });
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
