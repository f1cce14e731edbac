import { escaped } from './escaped.ts';
import type { Curves } from './figures.ts';
import { cellText } from './text-table.ts';

const [width, left, bottom, top, right] = [900, 52, 40, 16, 400];
/** Labels of curves that end at the same height are this far apart. */
const labelHeight = 16;
const colourCount = 8;

interface Label {
  readonly name: string;
  readonly colour: number;
  /** Where the curve ends. */
  readonly end: number;
  readonly y: number;
}

/** The axis of sizes is logarithmic, because sizes grow tenfold. The axis of costs starts at zero, so that a flat curve looks flat. */
export function curveSvg({ title, unit, series }: Curves): string {
  const points = series.flatMap((one) => one.points);
  const sizes = [...new Set(points.map(([size]) => size))].sort((a, b) => a - b);
  const height = Math.max(280, series.length * labelHeight + top + bottom);
  const [smallest, largest] = [Math.log10(sizes[0] ?? 1), Math.log10(sizes.at(-1) ?? 10)];
  const highest = niceCeiling(Math.max(1, ...points.map(([, value]) => value)));
  const x = (size: number): number =>
    left + ((Math.log10(size) - smallest) / Math.max(largest - smallest, 0.01)) * (width - left - right);
  const y = (value: number): number => height - bottom - (value / highest) * (height - bottom - top);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = y(share * highest).toFixed(1);
    return `<line class="grid" x1="${left}" x2="${width - right}" y1="${at}" y2="${at}"/><text class="axis" x="${left - 8}" y="${at}" dy=".32em" text-anchor="end">${cellText(share * highest)}</text>`;
  });
  const columns = sizes
    .filter((size) => Number.isInteger(Math.log10(size)))
    .map(
      (size) =>
        `<text class="axis" x="${x(size).toFixed(1)}" y="${height - bottom + 20}" text-anchor="middle">${cellText(size)}</text>`,
    );
  const lines = series.map(({ points: own }, at) => {
    const place = ([size, value]: readonly [number, number]) => `${x(size).toFixed(1)},${y(value).toFixed(1)}`;
    const dots = own.map((point) => {
      const [cx, cy] = place(point).split(',');
      return `<circle cx="${cx}" cy="${cy}" r="3.2"/>`;
    });
    return `<g class="s${at % colourCount}"><polyline points="${own.map(place).join(' ')}"/>${dots.join('')}</g>`;
  });
  const ends = series.map(({ name, points: own }, at) => ({
    name,
    colour: at % colourCount,
    end: y(own.at(-1)?.[1] ?? 0),
  }));
  const labels = spread(ends, height - bottom).map(
    ({ name, colour, end, y: at }) =>
      `<path class="lead" d="M${width - right + 4} ${end.toFixed(1)}C${width - right + 12} ${end.toFixed(1)} ${width - right + 10} ${at.toFixed(1)} ${width - right + 18} ${at.toFixed(1)}"/><text class="s${colour}" x="${width - right + 22}" y="${at.toFixed(1)}" dy=".32em">${escaped(name)}</text>`,
  );
  return `<figure><figcaption>${escaped(title)} <small>${escaped(unit)}</small></figcaption><div class="wide"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(`${title}, ${unit}`)}">${ticks.join('')}${columns.join('')}${lines.join('')}${labels.join('')}</svg></div></figure>`;
}

/** Moves the labels apart, upwards from the height where each curve ends, and down again where they would leave the chart. */
function spread(ends: readonly Omit<Label, 'y'>[], lowest: number): Label[] {
  let below = lowest + labelHeight;
  const raised = ends
    .toSorted((a, b) => b.end - a.end)
    .map((label) => {
      below = Math.min(label.end, below - labelHeight);
      return { ...label, y: below };
    });
  let above = top - labelHeight / 2;
  return raised.toReversed().map((label) => {
    above = Math.max(label.y, above + labelHeight);
    return { ...label, y: above };
  });
}

/** The next number of the form 1, 2, 4, 5 or 10 times a power of ten, so that the quarters of the axis are short numbers. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 4, 5, 10].find((step) => value <= step * power) ?? 10);
}
