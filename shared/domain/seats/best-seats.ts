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
  /** Whether the party sits in one row, or in two groups in adjoining ones. */
  readonly isTogether: boolean;
}

export type BestSeats =
  /** The best take of each row, the nearest first, and among how many of the first a hold chooses at random. */
  | { readonly outcome: 'found'; readonly takes: readonly BestTake[]; readonly among: number }
  /** So many seats are open, but not side by side. */
  | { readonly outcome: 'not_together' }
  /** Too few wheelchair places are open, however many other seats are. */
  | { readonly outcome: 'accessible_sold_out' }
  | { readonly outcome: 'sold_out' };

/**
 * Fifty thousand buyers must not meet in one row, which takes about 60 holds a second: they choose at random among so many. In a small
 * hall it is a quarter of the rows, or an early buyer would sit at the back.
 */
function chosenAmong(rows: readonly OpenRow[], { zone }: BestWish): number {
  const ofZone = rows.filter(({ picture }) => picture.seats.some((seat) => seat.zone === zone));
  return Math.min(16, Math.max(4, Math.ceil(ofZone.length / 4)));
}

type Point = ReturnType<typeof focalPoint>;

/** Wheelchair places are found by wish only, and companion seats with them. */
const isOrdinary = ({ kind }: MapSeat): boolean => kind === 'standard' || kind === 'restricted_view';

/** Seats of one row, or of two, and how far their middle is from the stage. */
interface Candidate {
  readonly rows: readonly (RowSeats & Pick<OpenRow, 'picture'>)[];
  readonly distance: number;
}

/**
 * The best seats for a party: the best run of open seats in each row, by its distance to the stage; first those that leave no new
 * single seat, then those that do, then two groups in adjoining rows with nobody alone. Without the wish to sit together, any seats.
 */
export function bestSeats(map: SeatMap, rows: readonly OpenRow[], wish: BestWish): BestSeats {
  const focal = focalPoint(map);
  if (wish.wheelchairs > 0) return accessibleSeats(rows, wish, focal);
  const isOffered = (seat: MapSeat): boolean => seat.zone === wish.zone && isOrdinary(seat);
  const free = rows.reduce((sum, { picture }) => sum + countOffered(picture, isOffered), 0);
  if (free < wish.size) return { outcome: 'sold_out' };
  const inOneRow = rows.map((row) => oneRow(row, wish.size, isOffered, focal));
  const found = preferred(inOneRow, wish);
  const among = chosenAmong(rows, wish);
  if (found.length > 0) return { outcome: 'found', takes: found, among };
  const pairs = rows.map((row, index) => twoRows([row, rows[index + 1]], wish.size, isOffered, focal));
  const inTwoRows = preferred(pairs, wish);
  if (inTwoRows.length > 0) return { outcome: 'found', takes: inTwoRows, among };
  if (wish.together) return { outcome: 'not_together' };
  const apart = scattered(rows, wish.size, isOffered, focal);
  const takes = [{ rows: apart, leavesSingle: true, isTogether: false }];
  return { outcome: 'found', takes, among: 1 };
}

function countOffered({ seats, open }: RowPicture, isOffered: (seat: MapSeat) => boolean): number {
  return seats.reduce((sum, seat, position) => sum + (open[position] === true && isOffered(seat) ? 1 : 0), 0);
}

/** The nearest candidate of each row that leaves no single seat; if no row has one, of each row. Two buyers in one row meet anyway. */
function preferred(candidates: readonly (readonly Candidate[])[], { avoidsSingles }: BestWish): readonly BestTake[] {
  const ofRows = candidates.map((inRow) => inRow.toSorted(byDistance));
  const good = avoidsSingles ? ofRows.flatMap((inRow) => inRow.find(leavesNoSingle) ?? []) : [];
  const chosen = good.length > 0 ? good : ofRows.flatMap(([nearest]) => nearest ?? []);
  return chosen.toSorted(byDistance).map(({ rows }) => ({
    rows: rows.map(({ section, row, positions }) => ({ section, row, positions })),
    leavesSingle: good.length === 0,
    isTogether: true,
  }));
}

const byDistance = (one: { readonly distance: number }, other: { readonly distance: number }): number =>
  one.distance - other.distance;

const leavesNoSingle = ({ rows }: Candidate): boolean =>
  rows.every(({ picture, positions }) => newSingles(picture, positions).length === 0);

function candidateOf(rows: Candidate['rows'], focal: Point): Candidate {
  return { rows, distance: distanceOf(rows, focal) };
}

function oneRow(row: OpenRow, size: number, isOffered: (seat: MapSeat) => boolean, focal: Point): readonly Candidate[] {
  return runTakes(row.picture, size, isOffered).map((positions) => candidateOf([{ ...row, positions }], focal));
}

/** From the middle of the seats to the stage. A stadium has thousands of candidates, so nothing is copied. */
function distanceOf(rows: Candidate['rows'], focal: Point): number {
  let [x, y, count] = [0, 0, 0];
  for (const { picture, positions } of rows) {
    for (const position of positions) {
      x += picture.seats[position]?.x ?? 0;
      y += picture.seats[position]?.y ?? 0;
      count += 1;
    }
  }
  return Math.hypot(x / count - focal.x, y / count - focal.y);
}

/** Two groups in adjoining rows of a section. Nobody sits alone, so each has two seats at least. */
function twoRows(
  [row, next]: readonly [OpenRow, OpenRow | undefined],
  size: number,
  isOffered: (seat: MapSeat) => boolean,
  focal: Point,
): readonly Candidate[] {
  if (next === undefined || next.section !== row.section) return [];
  return Array.from({ length: Math.max(0, size - 3) }, (_, one) => one + 2).flatMap((first) => {
    const [front] = runTakes(row.picture, first, isOffered);
    const [back] = runTakes(next.picture, size - first, isOffered);
    if (front === undefined || back === undefined) return [];
    return [
      candidateOf(
        [
          { ...row, positions: front },
          { ...next, positions: back },
        ],
        focal,
      ),
    ];
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
      row.picture.open[position] && isOffered(seat)
        ? [{ row, position, distance: distanceOf([{ ...row, positions: [position] }], focal) }]
        : [],
    ),
  );
  return byRow(seats.toSorted(byDistance).slice(0, size));
}

function byRow(seats: readonly { readonly row: OpenRow; readonly position: number }[]): readonly RowSeats[] {
  const rows = [...new Set(seats.map(({ row }) => row))];
  return rows.map((row) => ({
    section: row.section,
    row: row.row,
    positions: seats.flatMap((seat) => (seat.row === row ? [seat.position] : [])).toSorted((one, other) => one - other),
  }));
}

interface Place {
  readonly row: OpenRow;
  readonly seat: MapSeat;
  readonly position: number;
}

/**
 * Wheelchair places of one row, and for the rest of the party their companion seats and the open seats next to them. Without the wish
 * to sit together, of several rows if no row has them all.
 */
function accessibleSeats(rows: readonly OpenRow[], wish: BestWish, focal: Point): BestSeats {
  const takes = rows.flatMap((row) => {
    const party = partyOf(openPlaces(row, wish), wish);
    if (party === undefined) return [];
    const positions = party.map(({ position }) => position);
    return [{ ...row, positions, distance: distanceOf([{ ...row, positions }], focal) }];
  });
  if (takes.length > 0) {
    const nearest = takes.toSorted(byDistance).map(({ section, row, positions }) => ({
      rows: [{ section, row, positions }],
      leavesSingle: true,
      isTogether: true,
    }));
    return { outcome: 'found', takes: nearest, among: chosenAmong(rows, wish) };
  }
  const distance = ({ row, position }: Place) => distanceOf([{ ...row, positions: [position] }], focal);
  const places = rows.flatMap((row) => openPlaces(row, wish)).toSorted((one, other) => distance(one) - distance(other));
  if (places.filter(isWheelchairPlace).length < wish.wheelchairs) return { outcome: 'accessible_sold_out' };
  const party = partyOf(places, wish);
  if (party === undefined) return { outcome: 'sold_out' };
  if (wish.together) return { outcome: 'not_together' };
  // The wheelchair places come first, as in one row.
  const apart = [...byRow(party.slice(0, wish.wheelchairs)), ...byRow(party.slice(wish.wheelchairs))];
  return { outcome: 'found', takes: [{ rows: apart, leavesSingle: true, isTogether: false }], among: 1 };
}

const isWheelchairPlace = ({ seat }: Place): boolean => seat.kind === 'wheelchair';

function openPlaces(row: OpenRow, { zone }: BestWish): readonly Place[] {
  const { seats, open } = row.picture;
  return seats.flatMap((seat, position) => (open[position] && seat.zone === zone ? [{ row, seat, position }] : []));
}

/** The first wheelchair places, then their companion seats, then the nearest others; undefined if they are too few. */
function partyOf(open: readonly Place[], { size, wheelchairs }: BestWish): readonly Place[] | undefined {
  const places = open.filter(isWheelchairPlace).slice(0, wheelchairs);
  const names = new Set(places.map(({ row, seat }) => `${row.section}/${row.row}/${seat.label}`));
  const isTheirs = ({ seat: { companionOf } }: Place): boolean => companionOf !== null && names.has(companionOf);
  const [centre] = places;
  const away = ({ seat }: Place) => Math.hypot(seat.x - (centre?.seat.x ?? 0), seat.y - (centre?.seat.y ?? 0));
  const rest = open
    .filter((place) => isTheirs(place) || isOrdinary(place.seat))
    .toSorted((one, other) => Number(isTheirs(other)) - Number(isTheirs(one)) || away(one) - away(other))
    .slice(0, size - wheelchairs);
  return places.length < wheelchairs || places.length + rest.length < size ? undefined : [...places, ...rest];
}
