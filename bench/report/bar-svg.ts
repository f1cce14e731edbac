import { escaped } from './escaped.ts';
import { cellText } from './text-table.ts';

/** One bar, in segments that are drawn one after the other. */
export interface Bar {
  readonly name: string;
  readonly segments: readonly number[];
  /** Shown at the end of the bar, instead of the sum. */
  readonly text?: string;
  /** A limit, drawn as a line across the bar. */
  readonly limit?: number;
  /** Draws the whole bar as missed. */
  readonly isMissed?: boolean;
}

export interface BarChart {
  readonly title: string;
  readonly unit: string;
  /** The names of the segments; empty for bars with one. */
  readonly legend: readonly string[];
  readonly bars: readonly Bar[];
}

const [width, left, right, rowHeight, barHeight, top] = [860, 300, 110, 22, 13, 8];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Horizontal bars from zero, in the order of the list. */
export function barSvg({ title, unit, legend, bars }: BarChart): string {
  const highest = Math.max(...bars.map(({ segments, limit }) => Math.max(sum(segments), limit ?? 0)), 1e-9);
  const scale = (value: number): number => (value / highest) * (width - left - right);
  const rows = bars.map((bar, at) => {
    const y = top + at * rowHeight;
    const middle = y + rowHeight / 2;
    let from = left;
    const parts = bar.segments.map((value, segment) => {
      const length = scale(value);
      const part = `<rect class="${bar.isMissed ? 'missed' : `s${segment}`}" x="${from.toFixed(1)}" y="${(middle - barHeight / 2).toFixed(1)}" width="${length.toFixed(1)}" height="${barHeight}"/>`;
      from += length;
      return part;
    });
    const limitX = bar.limit === undefined ? undefined : left + scale(bar.limit);
    const limit =
      limitX === undefined
        ? ''
        : `<line class="limit" x1="${limitX.toFixed(1)}" x2="${limitX.toFixed(1)}" y1="${y + 2}" y2="${y + rowHeight - 2}"/>`;
    const textX = Math.max(from, limitX ?? 0) + 8;
    return `<text x="${left - 10}" y="${middle}" dy=".32em" text-anchor="end">${escaped(bar.name)}</text>${parts.join('')}${limit}<text class="value" x="${textX.toFixed(1)}" y="${middle}" dy=".32em">${escaped(bar.text ?? cellText(sum(bar.segments)))}</text>`;
  });
  const key = legend.map((name, at) => `<span><i class="s${at}"></i>${escaped(name)}</span>`).join('');
  const height = top * 2 + bars.length * rowHeight;
  return `<figure class="bars"><figcaption>${escaped(title)} <small>${escaped(unit)}</small></figcaption>${key === '' ? '' : `<p class="key">${key}</p>`}<div class="wide"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(`${title}, ${unit}`)}">${rows.join('')}</svg></div></figure>`;
}
