import { atMost, type Target } from '../report/figures.ts';

interface MeasuredChange {
  /** The row of the table: the operation, or one of its variants. */
  readonly name: string;
  readonly depth: number;
  readonly writeUnits: number;
}

/** The limits of operations that change something, by the name of the row. A call with a gate token is not logged: one step and one unit less. */
const limits: Readonly<Record<string, Omit<MeasuredChange, 'name'>>> = {
  'record-scan': { depth: 5, writeUnits: 12 },
  'record-scan, with a nonce': { depth: 5, writeUnits: 14 },
};

export function changeTargets(measured: readonly MeasuredChange[]): Target[] {
  return measured.flatMap(({ name, depth, writeUnits }) => {
    const limit = limits[name];
    if (limit === undefined) return [];
    return [
      atMost({ name: `depth of ${name}`, value: depth, limit: limit.depth }),
      atMost({ name: `write units of ${name}`, value: writeUnits, limit: limit.writeUnits }),
    ];
  });
}
