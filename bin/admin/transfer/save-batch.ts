import { setTimeout as sleep } from 'node:timers/promises';
import { isTableUnavailable } from '../../../shared/data/failures.ts';
import type { Checked, SaveOutcome, SaveResult } from './kind.ts';
import type { Rejected } from './rejects.ts';

export interface CheckedRow {
  readonly line: number;
  readonly row?: Readonly<Record<string, unknown>>;
  readonly checked: Checked;
}

export interface BatchResult {
  readonly outcomes: readonly (SaveOutcome | 'rejected')[];
  readonly rejected: readonly Rejected[];
}

const concurrency = 16;
const maxAttempts = 8;

/**
 * Saves rows side by side, but those of one lane, such as those with the same key, one after the other in the order of the file, so that the last one
 * counts as it would by hand. Every save has ended when this returns or throws.
 */
export async function saveBatch(rows: readonly CheckedRow[]): Promise<BatchResult> {
  const results = new Map<CheckedRow, SaveResult>();
  const waiting = lanesOf(rows).values();
  const work = async (): Promise<void> => {
    for (const lane of waiting) {
      for (const row of lane) results.set(row, await save(row.checked));
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = ended.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;

  const inOrder = rows.map((row) => ({ row, result: results.get(row) ?? { rejected: 'It was not reached.' } }));
  return {
    outcomes: inOrder.map(({ result }) => (typeof result === 'string' ? result : 'rejected')),
    rejected: inOrder.flatMap(({ row: { line, row }, result }) =>
      typeof result === 'string' ? [] : [{ line, reason: result.rejected, ...(row !== undefined && { row }) }],
    ),
  };
}

async function save(checked: Checked): Promise<SaveResult> {
  if ('problems' in checked) return { rejected: checked.problems.join(' ') };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await checked.save();
    } catch (error) {
      // The row itself is what the table refuses: a key or an item that is too long.
      if (error instanceof Error && error.name === 'ValidationException') return { rejected: error.message };
      if (!isTableUnavailable(error) || attempt === maxAttempts) throw error;
      await sleep(50 * 2 ** attempt);
    }
  }
}

/** The rows of each lane; a row without one has nobody to wait for. */
function lanesOf(rows: readonly CheckedRow[]): Map<string | number, CheckedRow[]> {
  const lanes = new Map<string | number, CheckedRow[]>();
  for (const row of rows) {
    const name = 'lane' in row.checked ? row.checked.lane : row.line;
    const lane = lanes.get(name);
    if (lane === undefined) lanes.set(name, [row]);
    else lane.push(row);
  }
  return lanes;
}
