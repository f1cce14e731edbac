import type { Curves } from './figures.ts';
import { cellText } from './text-table.ts';

const [width, height, left, bottom, top, right] = [640, 260, 56, 34, 14, 190];
const colours = ['#0b6e99', '#c4472b', '#3f7d20', '#8a4fa3', '#b8860b', '#444', '#1d8a8a', '#a0522d'];

/** The axis of sizes is logarithmic, because sizes grow tenfold. The axis of costs starts at zero, so that a flat curve looks flat. */
export function curveSvg({ title, unit, series }: Curves): string {
  const points = series.flatMap((one) => one.points);
  const sizes = [...new Set(points.map(([size]) => size))].sort((a, b) => a - b);
  const [smallest, largest] = [Math.log10(sizes[0] ?? 1), Math.log10(sizes.at(-1) ?? 10)];
  const highest = Math.max(1, ...points.map(([, value]) => value)) * 1.1;
  const x = (size: number): number =>
    left + ((Math.log10(size) - smallest) / Math.max(largest - smallest, 0.01)) * (width - left - right);
  const y = (value: number): number => height - bottom - (value / highest) * (height - bottom - top);
  const ticks = [0, highest / 2, highest / 1.1].map(
    (value) =>
      `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/><text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${cellText(value)}</text>`,
  );
  const labels = sizes.map(
    (size) => `<text x="${x(size)}" y="${height - bottom + 18}" text-anchor="middle">${cellText(size)}</text>`,
  );
  const lines = series.map(({ name, points: own }, at) => {
    const colour = colours[at % colours.length];
    const path = own.map(([size, value]) => `${x(size).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    const dots = own.map(([size, value]) => `<circle cx="${x(size).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3"/>`);
    const legend = `<text x="${width - right + 14}" y="${top + 12 + at * 16}">${name}</text>`;
    return `<g fill="${colour}"><polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.6"/>${dots.join('')}${legend}</g>`;
  });
  return `<figure><figcaption>${title} (${unit})</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${ticks.join('')}${labels.join('')}${lines.join('')}</svg></figure>`;
}
