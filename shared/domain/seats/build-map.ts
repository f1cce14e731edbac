import {
  type MapRow,
  type MapSeat,
  type MapSection,
  type MapZone,
  type SeatKind,
  type SeatMap,
  seatMapLimits,
  seatName,
} from './seat-map.ts';

/** What is wrong with a map that a client sends, and where. */
export interface MapProblem {
  readonly param: string;
  readonly message: string;
}

/** A seat as it is sent: in a plan it has a position, in a list of rows it follows from the order. */
export interface SentSeat {
  readonly label: string;
  readonly zone: string;
  readonly afterAisle: boolean;
  readonly position?: { readonly x: number; readonly y: number };
}

export interface SentRow {
  readonly param: string;
  readonly section: string;
  readonly row: string;
  readonly seats: readonly SentSeat[];
}

export interface SentKinds {
  readonly kind: SeatKind;
  readonly seats: readonly string[];
  readonly companionOf: string | null;
}

export type BuiltMap = { readonly map: SeatMap } | { readonly problems: readonly MapProblem[] };

/** More are mostly one mistake repeated. */
const maxProblems = 20;

/** Builds a map from rows. Rows of one section belong together, wherever they are in the list. */
export function buildMap(
  rows: readonly SentRow[],
  { zones, kinds }: { readonly zones: readonly MapZone[]; readonly kinds: readonly SentKinds[] },
): BuiltMap {
  const problems = [...rows.flatMap(rowProblems), ...doubleRows(rows), ...sizeProblems(rows)];
  const known = new Set(
    rows.flatMap(({ section, row, seats }) => seats.map(({ label }) => seatName(section, row, label))),
  );
  problems.push(...kindProblems(kinds, known));
  if (problems.length > 0) return { problems: problems.slice(0, maxProblems) };
  const kindOf = new Map(kinds.flatMap(({ seats, ...kind }) => seats.map((seat) => [seat, kind] as const)));
  const isDrawn = rows.every(({ seats }) => seats.every(({ position }) => position !== undefined));
  const sections = new Map<string, MapRow[]>();
  for (const [index, { section, row, seats }] of rows.entries()) {
    const built = seats.map(({ label, zone, afterAisle, position }, place): MapSeat => {
      const { kind = 'standard', companionOf = null } = kindOf.get(seatName(section, row, label)) ?? {};
      // Without a drawing, rows are one behind the other and each is centred.
      const { x, y } = (isDrawn && position) || { x: place - (seats.length - 1) / 2, y: index };
      return { label, zone, afterAisle, kind, companionOf, x, y };
    });
    sections.set(section, [...(sections.get(section) ?? []), { row, seats: built }]);
  }
  const list: readonly MapSection[] = [...sections].map(([section, inSection]) => ({ section, rows: inSection }));
  const used = new Set(rows.flatMap(({ seats }) => seats.map(({ zone }) => zone)));
  const colors = new Map(zones.map(({ zone, color }) => [zone, color]));
  return {
    map: { zones: [...used].map((zone) => ({ zone, color: colors.get(zone) ?? null })), sections: list, isDrawn },
  };
}

function rowProblems({ param, section, row, seats }: SentRow): readonly MapProblem[] {
  const names = [
    { what: 'section', name: section, most: seatMapLimits.name },
    { what: 'row', name: row, most: seatMapLimits.label },
    ...seats.map(({ label }) => ({ what: 'seat', name: label, most: seatMapLimits.label })),
    ...[...new Set(seats.map(({ zone }) => zone))].map((name) => ({ what: 'zone', name, most: seatMapLimits.name })),
  ];
  const wrong = names.flatMap(({ what, name, most }) => {
    const problem = nameProblem(name, most);
    return problem === undefined
      ? []
      : [{ param, message: `The name of the ${what} "${name.slice(0, 60)}" ${problem}` }];
  });
  const double = doubled(seats.map(({ label }) => label)).map((label) => ({
    param,
    message: `The seat ${seatName(section, row, label)} is there twice. Every seat of a row needs its own name.`,
  }));
  const count = seats.length;
  const empty = count === 0 ? [{ param, message: `The row ${section}/${row} has no seats.` }] : [];
  const long = count > seatMapLimits.seatsInRow ? [{ param, message: tooLong(section, row, count) }] : [];
  return [...wrong, ...double, ...empty, ...long];
}

export function tooLong(section: string, row: string, count: number): string {
  return `The row ${section}/${row} has ${count} seats; a row has at most ${seatMapLimits.seatsInRow}. Make two rows of it, such as "${row} left" and "${row} right".`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const unprintable = /[\u0000-\u001f\u007f-\u009f\ufffd]/;

function nameProblem(name: string, most: number): string | undefined {
  if (name.trim() === '' || name !== name.trim()) return 'is empty, or begins or ends with a space.';
  if (name.includes('/')) return 'contains a slash. A seat is named section/row/seat, so no part can contain one.';
  if (unprintable.test(name)) return 'contains control characters.';
  return [...name].length > most ? `has more than ${most} characters.` : undefined;
}

function doubled(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}

function doubleRows(rows: readonly SentRow[]): readonly MapProblem[] {
  return doubled(rows.map(({ section, row }) => `${section}/${row}`)).map((name) => ({
    param: rows.findLast(({ section, row }) => `${section}/${row}` === name)?.param ?? 'sections',
    message: `The row ${name} is there twice. Every row of a section needs its own name.`,
  }));
}

function sizeProblems(rows: readonly SentRow[]): readonly MapProblem[] {
  const counts = {
    seats: rows.reduce((sum, { seats }) => sum + seats.length, 0),
    rows: rows.length,
    sections: new Set(rows.map(({ section }) => section)).size,
  };
  const param = rows[0]?.param.split(/[.[]/)[0] ?? 'sections';
  if (rows.length === 0) return [{ param, message: 'A map needs at least one row of seats.' }];
  return (['seats', 'rows', 'sections'] as const).flatMap((what) =>
    counts[what] > seatMapLimits[what]
      ? [{ param, message: `The map has ${counts[what]} ${what}; a map has at most ${seatMapLimits[what]}.` }]
      : [],
  );
}

function kindProblems(kinds: readonly SentKinds[], known: ReadonlySet<string>): readonly MapProblem[] {
  const wheelchairs = new Set(kinds.flatMap(({ kind, seats }) => (kind === 'wheelchair' ? seats : [])));
  return kinds.flatMap(({ kind, seats, companionOf }, index): readonly MapProblem[] => {
    const missing = seats.find((seat) => !known.has(seat));
    if (missing !== undefined) {
      return [
        { param: `kinds[${index}].seats`, message: `The map has no seat ${missing}. Name seats as section/row/seat.` },
      ];
    }
    const isCompanion = kind === 'companion';
    if (isCompanion !== (companionOf !== null) || (companionOf !== null && !wheelchairs.has(companionOf))) {
      const message = 'companion_of names the wheelchair place of a companion seat, and only a companion seat has one.';
      return [{ param: `kinds[${index}].companion_of`, message }];
    }
    return [];
  });
}
