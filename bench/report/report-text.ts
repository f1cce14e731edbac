import type { FigureTable, Results } from './figures.ts';
import { cellText, targetTable } from './text-table.ts';

/** The report as Markdown, so a change of a figure is read in the diff. */
export function reportText({ targets, parts }: Results): string {
  const missed = targets.filter(({ met }) => !met).length;
  const sections = Object.entries(parts).map(([name, { at, node, cores, seconds, notes, tables }]) =>
    [
      `## ${name}`,
      `${at} UTC, Node ${node}, ${cores} cores, ${seconds} s`,
      notes.map((note) => `- ${note}`).join('\n'),
      ...tables.map(markdownTable),
    ].join('\n\n'),
  );
  return `# What Gateline costs, and how that grows

Counts (units, calls, round trips, bytes) are the same on every machine. Times are of the machine they were taken on, and only their
ratios count. ${targets.length - missed} of ${targets.length} targets are met. Written by \`npm run bench\`.

${[markdownTable(targetTable(targets)), ...sections].join('\n\n')}
`;
}

function markdownTable({ title, columns, rows }: FigureTable): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const alignment = columns.map((_, at) => (typeof rows[0]?.[at] === 'number' ? '---:' : '---'));
  return [`### ${title}`, '', line(columns), line(alignment), ...rows.map((row) => line(row.map(cellText)))].join('\n');
}
