import type { FigureTable } from '../report/figures.ts';
import { cellText } from '../report/text-table.ts';

type Timelines = Readonly<Record<string, readonly number[]>>;

const blocks = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const columns = 90;

/** Draws what happened by the second as one line of blocks each, for a terminal. */
export function drawTimeline(timelines: Timelines): string {
  const seconds = Math.max(1, ...Object.values(timelines).map(({ length }) => length));
  const width = Math.max(name(timelines), 8);
  const lines = Object.entries(timelines).map(([label, counts]) => {
    const averages = averaged(counts, seconds / columns);
    const highest = Math.max(...averages, Number.MIN_VALUE);
    const drawn = averages.map((count) => blocks[Math.ceil((count / highest) * (blocks.length - 1))] ?? '');
    return `${label.padEnd(width)} |${drawn.join('')}| highest ${cellText(highest)} a second`;
  });
  return ['', `By time, ${Math.round(seconds / 60)} minutes`, ...lines].join('\n');
}

const name = (timelines: Timelines): number => Math.max(...Object.keys(timelines).map(({ length }) => length));

function averaged(counts: readonly number[], step: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const part = counts.slice(
      Math.floor(column * step),
      Math.max(Math.floor((column + 1) * step), Math.floor(column * step) + 1),
    );
    return part.reduce((sum, count) => sum + count, 0) / Math.max(1, part.length);
  });
}

const [chartWidth, chartHeight] = [900, 160];
const colours = ['#0b6e99', '#3f7d20', '#c4472b', '#8a4fa3'];

/** A page with a chart of each timeline and all tables. */
export function timelinePage(
  { scenario, seed, timeline }: { readonly scenario: string; readonly seed: number; readonly timeline: Timelines },
  tables: readonly FigureTable[],
): string {
  const seconds = Math.max(1, ...Object.values(timeline).map(({ length }) => length));
  const charts = Object.entries(timeline).map(([label, counts], at) => {
    const highest = Math.max(...counts, 1);
    const points = counts.map(
      (count, second) =>
        `${((second / seconds) * chartWidth).toFixed(1)},${(chartHeight - (count / highest) * chartHeight).toFixed(1)}`,
    );
    const line = `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[at % colours.length]}"/>`;
    const caption = `${label}, by the second; highest ${highest}; ${Math.round(seconds / 60)} minutes`;
    return `<figure><figcaption>${caption}</figcaption><svg viewBox="0 0 ${chartWidth} ${chartHeight}" width="100%" role="img" aria-label="${label}">${line}</svg></figure>`;
  });
  const rows = (table: FigureTable): string =>
    table.rows.map((row) => `<tr>${row.map((cell) => `<td>${cellText(cell)}</td>`).join('')}</tr>`).join('');
  const figures = tables.map(
    (table) =>
      `<h2>${table.title}</h2><table><tr>${table.columns.map((column) => `<th>${column}</th>`).join('')}</tr>${rows(table)}</table>`,
  );
  const style =
    'body{font:15px system-ui;max-width:60em;margin:2em auto}td,th{padding:.15em .8em;text-align:left}svg{border-bottom:1px solid #999}';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Simulation: ${scenario}</title><style>${style}</style><h1>${scenario}, seed ${seed}</h1>${charts.join('')}${figures.join('')}</html>\n`;
}
