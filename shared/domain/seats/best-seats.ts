import type { RowPicture } from './row-picture.ts';
import { focalPoint, type MapSeat, type SeatMap } from './seat-map.ts';
import { newSingles, runTakes } from './single-seats.ts';

/** A row in which seats are looked for. Rows are in the order of the map. */
export interface OpenRow {
  readonly section: string;
  readonly row: string;
  readonly picture: RowPicture;
}

export interface BestWish {
  readonly size: number;
  /** How many of the seats are wheelchair places. */
  readonly wheelchairs: number;
  readonly together: boolean;
  /** Whether singles are to be avoided. */
  readonly avoidsSingles: boolean;
  /** The zone that the prices sell. */
  readonly zone: string;
}

/** Seats of one row. */
export interface RowSeats {
  readonly section: string;
  readonly row: string;
  /** The positions in the row, in order. */
  readonly positions: readonly number[];
}

export interface BestTake {
  /** In the order in which they are given to the tickets. */
  readonly rows: readonly RowSeats[];
  readonly leavesSingle: boolean;
}

export type BestSeats =
  | { readonly outcome: 'found'; readonly takes: readonly BestTake[] }
  /** So many seats are open, but not side by side. */
  | { readonly outcome: 'not_together' }
  | { readonly outcome: 'sold_out' };

/** Fifty thousand buyers who all get the best seats meet in one row. One of so many candidates is chosen at random. */
const bestCandidates = 16;

type Point = ReturnType<typeof focalPoint>;

/** Wheelchair places are found by wish only, and companion seats with them. */
const isOrdinary = ({ kind }: MapSeat): boolean => kind === 'standard' || kind === 'restricted_view';

/**
 * The best seats for a party: runs of open seats in one row, by their distance to the stage; first those that leave no new single
 * seat, then those that do, then two groups in adjoining rows with nobody alone. Without the wish to sit together, any seats.
 */
export function bestSeats(map: SeatMap, rows: readonly OpenRow[], wish: BestWish): BestSeats {
  const focal = focalPoint(map);
  if (wish.wheelchairs > 0) return accessibleSeats(rows, wish, focal);
  const isOffered = (seat: MapSeat): boolean => seat.zone === wish.zone && isOrdinary(seat);
  const free = rows.reduce((sum, { picture }) => sum + countOffered(picture, isOffered), 0);
  if (free < wish.size) return { outcome: 'sold_out' };
  const inOneRow = rows.flatMap((row) => runTakes(row.picture, wish.size, isOffered).map((take) => oneRow(row, take)));
  const found = preferred(inOneRow, rows, wish, focal);
  if (found.length > 0) return { outcome: 'found', takes: found };
  const inTwoRows = preferred(twoRows(rows, wish.size, isOffered), rows, wish, focal);
  if (inTwoRows.length > 0) return { outcome: 'found', takes: inTwoRows };
  if (wish.together) return { outcome: 'not_together' };
  return { outcome: 'found', takes: [{ rows: scattered(rows, wish.size, isOffered, focal), leavesSingle: true }] };
}

const oneRow = ({ section, row }: OpenRow, positions: readonly number[]): readonly RowSeats[] => [
  { section, row, positions },
];

function countOffered({ seats, open }: RowPicture, isOffered: (seat: MapSeat) => boolean): number {
  return seats.filter((seat, position) => open[position] === true && isOffered(seat)).length;
}

/** The nearest candidates of those that leave no single seat; if there are none, of those that do. */
function preferred(
  candidates: readonly (readonly RowSeats[])[],
  rows: readonly OpenRow[],
  { avoidsSingles }: BestWish,
  focal: Point,
): readonly BestTake[] {
  const pictures = new Map(rows.map((row) => [`${row.section}/${row.row}`, row.picture]));
  const nearest = candidates
    .map((takes) => {
      const inRows = takes.flatMap((take) => {
        const picture = pictures.get(`${take.section}/${take.row}`);
        return picture === undefined ? [] : [{ picture, positions: take.positions }];
      });
      const seats = inRows.flatMap(({ picture, positions }) => positions.flatMap((one) => picture.seats[one] ?? []));
      return { rows: takes, inRows, distance: distanceOf(seats, focal) };
    })
    .toSorted((one, other) => one.distance - other.distance);
  const without: BestTake[] = [];
  // A stadium has thousands of candidates. Mostly the first sixteen are judged.
  for (const { rows: takes, inRows } of avoidsSingles ? nearest : []) {
    if (inRows.every(({ picture, positions }) => newSingles(picture, positions).length === 0)) {
      without.push({ rows: takes, leavesSingle: false });
    }
    if (without.length === bestCandidates) break;
  }
  if (without.length > 0) return without;
  return nearest.slice(0, bestCandidates).map(({ rows: takes }) => ({ rows: takes, leavesSingle: true }));
}

/** From the middle of the seats to the stage. */
function distanceOf(seats: readonly Pick<MapSeat, 'x' | 'y'>[], focal: Point): number {
  const middle = (pick: (seat: Pick<MapSeat, 'x' | 'y'>) => number): number =>
    seats.reduce((sum, seat) => sum + pick(seat), 0) / seats.length;
  return Math.hypot(middle(({ x }) => x) - focal.x, middle(({ y }) => y) - focal.y);
}

/** Two groups in adjoining rows of a section. Nobody sits alone, so each has two seats at least. */
function twoRows(
  rows: readonly OpenRow[],
  size: number,
  isOffered: (seat: MapSeat) => boolean,
): readonly (readonly RowSeats[])[] {
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    if (next === undefined || next.section !== row.section) return [];
    return Array.from({ length: Math.max(0, size - 3) }, (_, one) => one + 2).flatMap((first) => {
      const [front] = runTakes(row.picture, first, isOffered);
      const [back] = runTakes(next.picture, size - first, isOffered);
      return front && back ? [[...oneRow(row, front), ...oneRow(next, back)]] : [];
    });
  });
}

/** The nearest open seats, wherever they are. */
function scattered(
  rows: readonly OpenRow[],
  size: number,
  isOffered: (seat: MapSeat) => boolean,
  focal: Point,
): readonly RowSeats[] {
  const seats = rows.flatMap((row) =>
    row.picture.seats.flatMap((seat, position) =>
      row.picture.open[position] && isOffered(seat) ? [{ row, position, distance: distanceOf([seat], focal) }] : [],
    ),
  );
  return byRow(seats.toSorted((one, other) => one.distance - other.distance).slice(0, size));
}

function byRow(seats: readonly { readonly row: OpenRow; readonly position: number }[]): readonly RowSeats[] {
  const rows = [...new Set(seats.map(({ row }) => row))];
  return rows.map((row) => ({
    section: row.section,
    row: row.row,
    positions: seats.flatMap((seat) => (seat.row === row ? [seat.position] : [])).toSorted((one, other) => one - other),
  }));
}

/**
 * Wheelchair places of one row, their companion seats, and for the rest of the party the open seats next to them. A row that has
 * them all is looked for from the stage on.
 */
function accessibleSeats(rows: readonly OpenRow[], { size, wheelchairs, zone }: BestWish, focal: Point): BestSeats {
  const takes = rows.flatMap((row) => {
    const { seats, open } = row.picture;
    const openSeats = seats.flatMap((seat, position) =>
      open[position] && seat.zone === zone ? [{ seat, position }] : [],
    );
    const places = openSeats.filter(({ seat }) => seat.kind === 'wheelchair').slice(0, wheelchairs);
    if (places.length < wheelchairs) return [];
    const names = new Set(places.map(({ seat }) => `${row.section}/${row.row}/${seat.label}`));
    const isTheirs = ({ companionOf }: MapSeat): boolean => companionOf !== null && names.has(companionOf);
    const centre = places[0]?.position ?? 0;
    const rest = openSeats
      .filter(({ seat }) => isTheirs(seat) || isOrdinary(seat))
      .toSorted(
        (one, other) =>
          Number(isTheirs(other.seat)) - Number(isTheirs(one.seat)) ||
          Math.abs(one.position - centre) - Math.abs(other.position - centre),
      )
      .slice(0, size - wheelchairs);
    if (places.length + rest.length < size) return [];
    const chosen = [...places, ...rest];
    const positions = chosen.map(({ position }) => position);
    return [
      {
        rows: oneRow(row, positions),
        distance: distanceOf(
          chosen.map(({ seat }) => seat),
          focal,
        ),
      },
    ];
  });
  const nearest = takes.toSorted((one, other) => one.distance - other.distance).slice(0, bestCandidates);
  if (nearest.length === 0) return { outcome: 'sold_out' };
  return { outcome: 'found', takes: nearest.map(({ rows: found }) => ({ rows: found, leavesSingle: true })) };
}
