/** Columns as wide as their widest cell. */
export function alignColumns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows
    .map(
      (row) =>
        indent +
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
    )
    .join('\n');
}

/** What has no value is shown as a dash, so that a column is never empty. */
export function orDash(text: string | null): string {
  return text ?? '-';
}

/** `2026-11-14 12:00 UTC`. */
export function showTime(unix: number | null): string {
  return unix === null ? '-' : `${new Date(unix * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
