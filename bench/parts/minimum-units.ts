import { fieldOf, isItem } from '../../local/cloud/dynamodb/model/values.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { RecordedCalls } from '../harness/call-recorder.ts';

export interface MinimumUnits {
  readonly readUnits: number;
  readonly writeUnits: number;
}

const readBytes = 4_096;
const writeBytes = 1_024;
const kilobytes = (bytes: number): number => Math.ceil(bytes / writeBytes);

/** Whether most of the read bytes came from strongly consistent reads. */
export function readsConsistently({ readBytes: all, consistentBytes }: RecordedCalls): boolean {
  return all > 0 && consistentBytes * 2 > all;
}

/** A call with an API key is admitted and counted by one write, and logged by another. */
const unitsOfEveryCall = { metered: 2, unmetered: 1, public: 0 } as const;

/**
 * The minimum that a response can cost, in any design of the table.
 * Read: half a unit for each 4 KB of the response or of the rows behind it, whichever is smaller (rows are stored more densely
 * than JSON); a whole unit where the API promises read-after-write, which needs a strongly consistent read.
 * Write: one unit for each KB of the change or of the response, whichever is smaller; with an event two units for each KB of the
 * change and the event, because both must be in one transaction. The writes that admit and log the request come on top.
 *
 * A page with a total needs half a unit more. The total counts rows that are not on the page, so another item has to hold it, and
 * half a unit is the smallest read. The bytes of that item are not counted as rows.
 */
export function minimumUnits(operation: Operation, bytes: number, recorded: RecordedCalls): MinimumUnits {
  const total = hasTotal(operation) ? { units: 0.5, bytes: recorded.counterBytes } : { units: 0, bytes: 0 };
  const rowBytes = Math.min(bytes, recorded.readBytes - total.bytes);
  const unitsPer4Kb = readsConsistently(recorded) ? 1 : 0.5;
  const changed = recorded.changedBytes === 0 ? 0 : Math.max(1, kilobytes(Math.min(bytes, recorded.changedBytes)));
  const event = kilobytes(recorded.eventBytes);
  const withoutEvent = operation.method !== 'GET' ? changed : 0;
  return {
    readUnits: operation.method === 'GET' ? Math.ceil(rowBytes / readBytes) * unitsPer4Kb + total.units : 0,
    writeUnits: unitsOfEveryCall[operation.auth.kind] + (event > 0 ? 2 * (changed + event) : withoutEvent),
  };
}

function hasTotal({ output }: Operation): boolean {
  const entries = fieldOf(output.schema, 'entries');
  return isItem(entries) && 'total' in entries && 'has_more' in entries;
}
