import { setTimeout as sleep } from 'node:timers/promises';
import { isTableUnavailable } from '../../shared/data/table/failures.ts';
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

const concurrency = 16;
const maxAttempts = 8;

/**
 * Saves rows side by side, but those with the same key one after the other in the order of the file, so that the last one
 * counts as it would by hand. A row that wants what another one has waits for the others: which of them came first is
 * chance, and must not decide. Every save has ended when this returns or throws.
 */
export async function saveBatch(rows: readonly CheckedRow[]): Promise<BatchResult> {
  const results = new Map<CheckedRow, SaveResult>();
  for (let lanes = endpointStatesOf(rows); lanes.length > 0; ) {
    const round = await saveEndpointStates(lanes, results);
    lanes = round.stuck;
    if (round.hasUpdated) continue;
    // Nothing was given up for them to have, so they are refused for good; the rows behind them go on.
    lanes = lanes.map(([, ...behind]) => behind).filter((lane) => lane.length > 0);
  }

  const inOrder = rows.map((row) => ({ row, result: results.get(row) ?? { rejected: 'It was not reached.' } }));
  return {
    outcomes: inOrder.map(({ result }) => (typeof result === 'string' ? result : 'rejected')),
    rejected: inOrder.flatMap(({ row: { line, row }, result }) =>
      typeof result === 'string' ? [] : [{ line, reason: result.rejected, ...(row !== undefined && { row }) }],
    ),
  };
}

type EndpointState = readonly CheckedRow[];

/** Saves each lane up to a row that may pass later; `stuck` are the lanes from there on. */
async function saveEndpointStates(
  lanes: readonly EndpointState[],
  results: Map<CheckedRow, SaveResult>,
): Promise<{ stuck: EndpointState[]; hasUpdated: boolean }> {
  const stuck: EndpointState[] = [];
  let hasUpdated = false;
  const waiting = lanes.values();
  const work = async (): Promise<void> => {
    for (const lane of waiting) {
      for (const [index, row] of lane.entries()) {
        const result = await save(row.checked);
        results.set(row, result);
        hasUpdated ||= result === 'updated';
        if (typeof result === 'string' || !result.mayPassLater) continue;
        stuck.push(lane.slice(index));
        break;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = ended.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return { stuck, hasUpdated };
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
function endpointStatesOf(rows: readonly CheckedRow[]): EndpointState[] {
  const lanes = new Map<string | number, CheckedRow[]>();
  for (const row of rows) {
    const name = 'lane' in row.checked ? row.checked.lane : row.line;
    const lane = lanes.get(name);
    if (lane === undefined) lanes.set(name, [row]);
    else lane.push(row);
  }
  return [...lanes.values()];
}
