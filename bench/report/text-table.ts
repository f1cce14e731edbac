import { type FigureTable, rounded, type Target } from './figures.ts';

type Cell = FigureTable['rows'][number][number];

export function cellText(cell: Cell): string {
  if (cell === null) return '–';
  return typeof cell === 'number' ? rounded(cell).toLocaleString('en-US', { maximumFractionDigits: 3 }) : cell;
}

/** A table for a terminal: text left-aligned, numbers right-aligned. */
export function textTable({ title, columns, rows }: FigureTable): string {
  const texts = rows.map((row) => row.map(cellText));
  const widths = columns.map((column, at) => Math.max(column.length, ...texts.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[], row?: readonly Cell[]): string =>
    cells
      .map((text, at) =>
        typeof row?.[at] === 'string' || at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return ['', title, line(columns), ...texts.map((row, at) => line(row, rows[at]))].join('\n');
}

export function targetTable(targets: readonly Target[]): FigureTable {
  return {
    title: 'Targets',
    columns: ['target', 'value', 'wanted', 'met', 'why not'],
    rows: targets.map(({ name, value, target, met, why }) => [name, value, target, met ? 'yes' : 'NO', why ?? '']),
  };
}
