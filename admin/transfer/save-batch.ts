import { isTableUnavailable } from '../../shared/data/table/failures.ts';
import { retry } from '../../shared/data/table/retry.ts';
import type { Checked, SaveOutcome, SaveResult } from './dataset.ts';
import type { Rejected } from './rejected-file.ts';

export interface CheckedRow {
  readonly line: number;
  readonly row?: Readonly<Record<string, unknown>>;
  readonly checked: Checked;
}

export interface BatchResult {
  readonly outcomes: readonly (SaveOutcome | 'rejected')[];
  readonly rejected: readonly Rejected[];
}

/** New members are created in transactions of up to 20: this keeps two of them in progress. */
const concurrency = 48;

/** Rows with the same serial key, in the order of the file. */
type Series = readonly CheckedRow[];

/**
 * Saves rows concurrently, but rows of one series one after the other, so the last row of a key wins. A row whose
 * unique value belongs to another row, or that refers to a later one, is tried again after the others: which of them was
 * saved first is random and must not matter. Every save has ended when this returns or throws.
 */
export async function saveBatch(rows: readonly CheckedRow[]): Promise<BatchResult> {
  const results = new Map<CheckedRow, SaveResult>();
  for (let pending = seriesOf(rows); pending.length > 0; ) {
    const round = await saveAll(pending, results);
    pending = round.blocked;
    if (round.hasWritten) continue;
    // No row gave up a value or was created in this round, so the blocked rows stay rejected. The rows after them continue.
    pending = pending.map(([, ...next]) => next).filter((series) => series.length > 0);
  }

  const inOrder = rows.map((row) => ({ row, result: results.get(row) ?? { rejected: 'The row was not saved.' } }));
  return {
    outcomes: inOrder.map(({ result }) => (typeof result === 'string' ? result : 'rejected')),
    rejected: inOrder.flatMap(({ row: { line, row }, result }) =>
      typeof result === 'string' ? [] : [{ line, reason: result.rejected, ...(row !== undefined && { row }) }],
    ),
  };
}

/** Saves each series up to a row that may pass later; `blocked` are the series from that row on. */
async function saveAll(
  pending: readonly Series[],
  results: Map<CheckedRow, SaveResult>,
): Promise<{ blocked: Series[]; hasWritten: boolean }> {
  const blocked: Series[] = [];
  let hasWritten = false;
  const queue = pending.values();
  const work = async (): Promise<void> => {
    for (const series of queue) {
      for (const [index, row] of series.entries()) {
        const result = await save(row.checked);
        results.set(row, result);
        hasWritten ||= result === 'created' || result === 'updated';
        if (typeof result === 'string' || !result.mayPassLater) continue;
        blocked.push(series.slice(index));
        break;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = ended.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return { blocked, hasWritten };
}

async function save(checked: Checked): Promise<SaveResult> {
  if ('problems' in checked) return { rejected: checked.problems.join(' ') };
  try {
    return await retry(isTableUnavailable, () => checked.save());
  } catch (error) {
    // DynamoDB refuses the row itself: a key or an item is too long.
    if (error instanceof Error && error.name === 'ValidationException') return { rejected: error.message };
    throw error;
  }
}

/** A row that cannot be saved is a series of its own. */
function seriesOf(rows: readonly CheckedRow[]): Series[] {
  const keyOf = ({ checked, line }: CheckedRow) => ('serialKey' in checked ? checked.serialKey : line);
  return [...Map.groupBy(rows, keyOf).values()];
}
