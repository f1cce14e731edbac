import { curveSvg } from './curve-svg.ts';
import type { FigureTable, Results } from './figures.ts';
import { improvements } from './improvements.ts';
import { cellText, targetTable } from './text-table.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:.6rem 0 1.4rem;font-size:13px}th,td{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}tr.no td{background:#fdecea}figure{margin:0 0 1rem;display:inline-block;width:100%;max-width:44rem}
svg{width:100%;font:11px system-ui,sans-serif}h2{margin-top:2.2rem}.about{color:#666}`;

/** The report as one HTML page that loads nothing from the network. */
export function reportPage({ targets, parts }: Results): string {
  const sections = Object.entries(parts).map(
    ([name, run]) =>
      `<h2>${escaped(name)}</h2><p class="about">${escaped(`${run.at} UTC, Node ${run.node}, ${run.cores} cores, ${run.seconds} s`)}</p><ul>${run.notes
        .map((note) => `<li>${escaped(note)}</li>`)
        .join('')}</ul>${run.curves.map(curveSvg).join('')}${run.tables.map(htmlTable).join('')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gateline: what it costs</title><style>${style}</style></head><body><h1>Gateline: what it costs, and how that grows</h1>
<p>Counts (units, calls, round trips, bytes) hold anywhere; times are of the machine they were taken on, and only their ratios are claims. Made by <code>npm run bench</code>.</p>
${htmlTable(targetTable(targets))}${htmlTable(improvements)}${sections.join('\n')}</body></html>
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
  return `<h3>${escaped(title)}</h3><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
