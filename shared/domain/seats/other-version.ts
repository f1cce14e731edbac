import { type SeatMap, seatName, seatNamesOf } from './seat-map.ts';
import { rowName, type TakenRow } from './seat-moves.ts';

/** The owner of a seat that the event's version of the map does not have any more: nobody can take it by an older one. */
export const closedOwner = 'x';

/** Rows that one version can change: with what else is written, below the 100 items of a transaction. */
export const maxChangedRows = 80;

/** What a row needs when its event sells another version of the map. */
export interface RowChange {
  readonly section: string;
  readonly row: string;
  /** Seats that the new version does not have. */
  readonly close: readonly string[];
  /** Seats that were closed, and are there again. */
  readonly open: readonly string[];
  /** The version of the row that was read. */
  readonly seenVersion: number;
}

export type VersionChange = { readonly lost: readonly string[] } | { readonly rows: readonly RowChange[] };

/** What changes in the rows of an event with another version of its map, or which seats somebody has that it does not have. */
export function versionChange(before: SeatMap, after: SeatMap, taken: readonly TakenRow[]): VersionChange {
  const isInNew = new Set(seatNamesOf(after));
  const lost = taken.flatMap(({ section, row, owners }) =>
    [...owners]
      .filter(([label, owner]) => owner !== closedOwner && !isInNew.has(seatName(section, row, label)))
      .map(([label]) => seatName(section, row, label)),
  );
  if (lost.length > 0) return { lost };
  const stored = new Map(taken.map((one) => [rowName(one), one]));
  const rows = before.sections.flatMap(({ section, rows: inSection }) =>
    inSection.map(({ row, seats }): RowChange => {
      const { owners = new Map<string, string>(), version = 0 } = stored.get(rowName({ section, row })) ?? {};
      const gone = seats.map(({ label }) => label).filter((label) => !isInNew.has(seatName(section, row, label)));
      return { section, row, close: gone.filter((label) => !owners.has(label)), open: [], seenVersion: version };
    }),
  );
  const opened = taken.map(({ section, row, owners, version }): RowChange => {
    const back = [...owners].filter(
      ([label, owner]) => owner === closedOwner && isInNew.has(seatName(section, row, label)),
    );
    return { section, row, close: [], open: back.map(([label]) => label), seenVersion: version };
  });
  return { rows: merged([...rows, ...opened]).filter(({ close, open }) => close.length + open.length > 0) };
}

/** One change for each row. */
function merged(changes: readonly RowChange[]): readonly RowChange[] {
  const rows = new Map<string, RowChange>();
  for (const change of changes) {
    const known = rows.get(rowName(change));
    rows.set(rowName(change), {
      ...change,
      close: [...(known?.close ?? []), ...change.close],
      open: [...(known?.open ?? []), ...change.open],
    });
  }
  return [...rows.values()];
}
