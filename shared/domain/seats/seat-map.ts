export const seatKinds = ['standard', 'wheelchair', 'companion', 'restricted_view'] as const;
export type SeatKind = (typeof seatKinds)[number];

/** The largest map. A row of this length fits into the two write units of a hold (ADR 62). */
export const seatMapLimits = {
  seats: 100_000,
  sections: 500,
  rows: 5_000,
  seatsInRow: 100,
  /** Characters of the name of a section or a zone. */
  name: 40,
  /** Characters of the name of a row or a seat. */
  label: 20,
} as const;

export interface MapSeat {
  readonly label: string;
  readonly zone: string;
  readonly kind: SeatKind;
  /** The full name of the wheelchair place that a companion seat belongs to. */
  readonly companionOf: string | null;
  /** Whether an aisle is between this seat and the one before. */
  readonly afterAisle: boolean;
  readonly x: number;
  readonly y: number;
}

export interface MapRow {
  readonly row: string;
  readonly seats: readonly MapSeat[];
}

export interface MapSection {
  readonly section: string;
  readonly rows: readonly MapRow[];
}

export interface MapZone {
  readonly zone: string;
  readonly color: string | null;
}

/** The seats of a place. A version of it never changes. */
export interface SeatMap {
  readonly zones: readonly MapZone[];
  readonly sections: readonly MapSection[];
  /** Whether the positions of the seats are drawn. Otherwise they follow from the order of rows and seats. */
  readonly isDrawn: boolean;
}

/** Of a map that has a name only, or of an event without one. */
export const noSeats: SeatMap = { zones: [], sections: [], isDrawn: false };

export function seatName(section: string, row: string, label: string): string {
  return `${section}/${row}/${label}`;
}

export function seatsOf({ sections }: SeatMap): readonly MapSeat[] {
  return sections.flatMap(({ rows }) => rows.flatMap(({ seats }) => seats));
}

/** The full names of all seats. */
export function seatNamesOf({ sections }: SeatMap): readonly string[] {
  return sections.flatMap(({ section, rows }) =>
    rows.flatMap(({ row, seats }) => seats.map(({ label }) => seatName(section, row, label))),
  );
}

/** Seats as a message names them. */
export function seatList(names: readonly string[]): string {
  return `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Of the maps that are kept: every party asks for it, and a map has up to 100,000 seats. */
const focalPoints = new WeakMap<SeatMap, Point>();

/** Where the stage is: in front of the first row, in the middle. The seats that are nearest to it are the best. */
export function focalPoint(map: SeatMap): Point {
  const known = focalPoints.get(map) ?? findFocalPoint(map);
  focalPoints.set(map, known);
  return known;
}

function findFocalPoint(map: SeatMap): Point {
  let [left, right, top] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { x, y } of seatsOf(map)) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
  }
  return Number.isFinite(left) ? { x: (left + right) / 2, y: top } : { x: 0, y: 0 };
}
