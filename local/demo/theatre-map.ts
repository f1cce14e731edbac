import { buildMap, type SentKinds, type SentRow } from '../../shared/domain/seats/build-map.ts';
import { type LabelledSeat, parseLabels } from '../../shared/domain/seats/labels.ts';
import type { SeatMapPlan } from './season-plan.ts';

interface Block {
  readonly section: string;
  /** From the stage to its first row, and from row to row. */
  readonly from: number;
  readonly step: number;
  /** The seats of each row, from the front. */
  readonly rows: Readonly<Record<string, string>>;
}

const many = (names: string, seats: string): Record<string, string> =>
  Object.fromEntries([...names].map((name) => [name, seats]));

const blocks: readonly Block[] = [
  {
    section: 'Stalls',
    from: 600,
    step: 34,
    rows: { ...many('ABC', '1-8|9-16'), ...many('DEFGHJKLM', '1-10|11-20'), N: '1-6|7-12' },
  },
  { section: 'Dress circle', from: 1_130, step: 36, rows: many('ABCDEF', '1-7|8-17|18-24') },
];

const kinds: readonly SentKinds[] = [
  { kind: 'wheelchair', seats: ['Stalls/N/1', 'Stalls/N/6', 'Stalls/N/12'], companionOf: null },
  { kind: 'companion', seats: ['Stalls/N/2'], companionOf: 'Stalls/N/1' },
  { kind: 'companion', seats: ['Stalls/N/5'], companionOf: 'Stalls/N/6' },
  { kind: 'companion', seats: ['Stalls/N/11'], companionOf: 'Stalls/N/12' },
  // Behind the pillars.
  { kind: 'restricted_view', seats: ['C', 'D'].flatMap((row) => pillars(row)), companionOf: null },
];

function pillars(row: string): readonly string[] {
  return ['7', '18'].map((seat) => `Dress circle/${row}/${seat}`);
}

const seatWidth = 30;
const aisleWidth = 30;
const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Rows are arcs around the stage. */
function drawn(labels: readonly LabelledSeat[], radius: number): readonly { readonly x: number; readonly y: number }[] {
  let next = 0;
  const places = labels.map(({ afterAisle }) => {
    const place = next + (afterAisle ? aisleWidth : 0);
    next = place + seatWidth;
    return place;
  });
  const middle = (places.at(-1) ?? 0) / 2;
  return places.map((place) => {
    const angle = (place - middle) / radius;
    return { x: tenths(radius * Math.sin(angle)), y: tenths(radius * Math.cos(angle)) };
  });
}

function rowsOf({ section, from, step, rows }: Block): readonly SentRow[] {
  return Object.entries(rows).map(([row, seats], index) => {
    const labels = parseLabels(seats);
    if ('tooMany' in labels) throw new Error(`The row ${row} has too many seats.`);
    const positions = drawn(labels, from + index * step);
    const placed = labels.map((seat, place) => ({
      ...seat,
      zone: section,
      position: positions[place] ?? { x: 0, y: 0 },
    }));
    return { param: 'sections', section, row, seats: placed };
  });
}

const colours = [
  { zone: 'Stalls', color: '#b23a48' },
  { zone: 'Dress circle', color: '#2f6690' },
];

function theatre(): SeatMapPlan['map'] {
  const built = buildMap(blocks.flatMap(rowsOf), { zones: colours, kinds });
  if ('problems' in built) throw new Error(built.problems[0]?.message);
  return built.map;
}

/** The main house: stalls and circle, a zone each, with places for wheelchairs at the back of the stalls. */
export const mainHouse: SeatMapPlan = { code: 'main-house', title: 'Main house', map: theatre() };
