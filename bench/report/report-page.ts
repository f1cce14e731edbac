import { escaped } from './escaped.ts';
import type { FigureTable, Results } from './figures.ts';
import { overview } from './overview.ts';
import { style } from './report-style.ts';
import { cellText, targetTable } from './text-table.ts';

/** The report as one HTML page that loads nothing from the network: first the charts, then every table. */
export function reportPage(results: Results): string {
  const { targets, parts } = results;
  const sections = Object.entries(parts).map(
    ([name, run]) =>
      `<section><h2>${escaped(name)}</h2><p class="about">${escaped(`${run.at} UTC, Node ${run.node}, ${run.cores} cores, ${run.seconds} s`)}</p><ul>${run.notes
        .map((note) => `<li>${escaped(note)}</li>`)
        .join('')}</ul>${run.tables.map(htmlTable).join('')}</section>`,
  );
  const missed = targets.filter(({ met }) => !met).length;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Gateline: what it costs</title><style>${style}</style></head><body><header><h1>What Gateline costs, and how that grows</h1>
<p>Counts (units, calls, round trips, bytes) are the same on every machine. Times are of the machine they were taken on, and only their ratios count. <b>${targets.length - missed} of ${targets.length}</b> targets are met. Made by <code>npm run bench</code>.</p></header>
${overview(results)}
<section><h2>Targets</h2>${htmlTable(targetTable(targets))}</section>${sections.join('\n')}</body></html>
`;
}

function htmlTable({ title, columns, rows }: FigureTable): string {
  const head = columns.map((column) => `<th>${escaped(column)}</th>`).join('');
  const body = rows.map((row) => {
    const cells = row.map(
      (cell) => `<td${typeof cell === 'string' ? '' : ' class="n"'}>${escaped(cellText(cell))}</td>`,
    );
    return `<tr${row.includes('NO') ? ' class="no"' : ''}>${cells.join('')}</tr>`;
  });
  return `<h3>${escaped(title)}</h3><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}
