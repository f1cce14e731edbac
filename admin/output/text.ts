/** Columns as wide as their widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A value that is not set is printed as a dash, so no column is empty. */
export function orDash(text: string | null): string {
  return text ?? '-';
}

/** `2026-11-14 12:00 UTC`. */
export function showTime(unix: number | null): string {
  return unix === null ? '-' : `${new Date(unix * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The text with control characters escaped, because a terminal would obey them. Line ends and tabs stay. */
export function printable(text: string): string {
  return text.replace(
    /(?![\n\t])\p{Cc}/gu,
    (character) => `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  );
}

/** `4,5`, or all, or none. */
export function showList(list: 'all' | readonly (string | number)[]): string {
  return list === 'all' ? 'all' : list.join(',') || 'none';
}

/** What a command shows, and whether it changed anything; `why` says why it did not. */
export function withOutcome(text: string, changed: boolean, why = ''): string {
  return `${text}\n\n${changed ? 'Changed.' : `${why} Nothing changed.`.trimStart()}`;
}
