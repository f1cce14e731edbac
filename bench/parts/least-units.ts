import type { Operation } from '../../shared/operations/operation.ts';

export interface Least {
  readonly readUnits: number;
  readonly writeUnits: number;
}

const readBytes = 4_096;
const writeBytes = 1_024;

/**
 * The least that an answer of so many bytes can cost, whoever keeps the data: the door's one write, half a unit for each 4 KB
 * that is told, and for a change each KB of what is told of it, written once. A change that is announced is two things that
 * must not come apart, and a transaction writes each twice.
 */
export function leastUnits(operation: Operation, bytes: number): Least {
  const doorUnits = operation.door.kind === 'counted' ? 1 : 0;
  const readsTable = Object.keys(operation.access).some((kind) => kind !== 'DOOR');
  const kilobytes = Math.ceil(bytes / writeBytes);
  const changed = operation.emits.length > 0 ? 4 * kilobytes : kilobytes;
  return {
    readUnits: readsTable && operation.effect === 'read' ? Math.ceil(bytes / readBytes) / 2 : 0,
    writeUnits: doorUnits + (operation.effect === 'write' ? changed : 0),
  };
}
