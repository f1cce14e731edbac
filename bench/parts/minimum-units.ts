import type { Operation } from '../../shared/operations/operation.ts';
import type { Recorded } from '../harness/call-recorder.ts';

export interface Least {
  readonly readUnits: number;
  readonly writeUnits: number;
}

const readBytes = 4_096;
const writeBytes = 1_024;
const kilobytes = (bytes: number): number => Math.ceil(bytes / writeBytes);

/** Whether most of what was read had to be the latest. */
export function readsLatest({ readBytes: all, latestBytes }: Recorded): boolean {
  return all > 0 && latestBytes * 2 > all;
}

/**
 * The least that an answer can cost, whoever keeps the data. To read: half a unit for each 4 KB of what is told or of the rows it
 * was made of, whichever is less (rows are stored more densely than they are told); a whole unit where the answer promises
 * what was written a moment ago, which only such a read can keep. To change: each KB of what was changed or is told of it,
 * whichever is less, once; with an event twice each, because the two must not come apart. The door's one write comes on top.
 *
 * A page that names the total of all pages needs half a unit more, whoever keeps it: the total is of rows that are not on the
 * page, so it is told by some other item, and no item is read for less. What that item weighs is then left out of the rows.
 */
export function leastUnits(operation: Operation, bytes: number, recorded: Recorded): Least {
  const authUnits = operation.auth.kind === 'metered' ? 1 : 0;
  const total = namesTotal(operation) ? { units: 0.5, bytes: recorded.counterBytes } : { units: 0, bytes: 0 };
  const told = Math.min(bytes, recorded.readBytes - total.bytes);
  const perPiece = readsLatest(recorded) ? 1 : 0.5;
  const changed = recorded.changedBytes === 0 ? 0 : Math.max(1, kilobytes(Math.min(bytes, recorded.changedBytes)));
  const announced = kilobytes(recorded.announcedBytes);
  const unannounced = operation.method !== 'GET' ? changed : 0;
  return {
    readUnits: operation.method === 'GET' ? Math.ceil(told / readBytes) * perPiece + total.units : 0,
    writeUnits: authUnits + (announced > 0 ? 2 * (changed + announced) : unannounced),
  };
}

function namesTotal({ output }: Operation): boolean {
  const { entries = {} } = Object(output.schema);
  return 'total' in entries && 'has_more' in entries;
}
