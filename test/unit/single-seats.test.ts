import { describe, expect, it } from 'vitest';
import { parseLabels } from '../../shared/domain/seats/labels.ts';
import { leftSingle } from '../../shared/domain/seats/left-single.ts';
import { pictureOf, type RowPicture, runsOf, withSeats } from '../../shared/domain/seats/row-picture.ts';
import type { MapSeat } from '../../shared/domain/seats/seat-map.ts';
import { newSingles, runTakes } from '../../shared/domain/seats/single-seats.ts';
import { takesWithoutSingle } from '../../shared/domain/seats/takes-without-single.ts';
import { aSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { openRows } from '../support/seats.ts';

/** `.` an open seat, `x` a taken one, `|` an aisle, `o` one that the basket has already. */
function drawn(text: string): { picture: RowPicture; others: number[] } {
  const blocks = text.split('|');
  let next = 1;
  const seats = blocks.map((block) => [...block].map(() => String(next++)).join(',')).join('|');
  const flat = blocks.join('');
  const [section] = aSeatMap([{ row: 'A', seats }]).sections;
  const [row] = section?.rows ?? [];
  if (row === undefined) throw new Error('The row is missing.');
  const taken = new Set([...flat].flatMap((one, place) => (one === 'x' ? [String(place + 1)] : [])));
  return {
    picture: pictureOf(row, taken),
    others: [...flat].flatMap((one, place) => (one === 'o' ? [place] : [])),
  };
}

type IsOffered = (seat: MapSeat) => boolean;
const anySeat: IsOffered = () => true;
/** Seats count from 1 here, as people do. */
function judged(text: string, ...seats: number[]) {
  const { picture, others } = drawn(text);
  return leftSingle({ picture, others, take: seats.map((seat) => seat - 1), isOffered: anySeat });
}

/** Every set of so many of these numbers. */
function subsets(from: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return from.flatMap((first, index) => subsets(from.slice(index + 1), size - 1).map((rest) => [first, ...rest]));
}

/** The rule in the words of the specification, without a thought about speed. */
function bruteSingles({ seats, open }: RowPicture): number[] {
  const isOpen = (place: number): boolean => open[place] === true;
  return seats.flatMap((_, place) => {
    const left = seats[place]?.afterAisle !== true && place > 0 && isOpen(place - 1);
    const right = seats[place + 1]?.afterAisle === false && isOpen(place + 1);
    return isOpen(place) && !left && !right ? [place] : [];
  });
}

function bruteAllowed(picture: RowPicture, size: number, groups: number, isOffered: IsOffered = anySeat): number[][] {
  const openPlaces = picture.seats.flatMap((seat, place) => (picture.open[place] && isOffered(seat) ? [place] : []));
  const before = new Set(bruteSingles(picture));
  return subsets(openPlaces, size).filter(
    (take) =>
      runsOf(picture.seats, take).length <= groups &&
      bruteSingles(withSeats(picture, take, false)).every((place) => before.has(place)),
  );
}

const rowsOf = (length: number, step = 1): string[] =>
  Array.from({ length: Math.ceil(2 ** length / step) }, (_, index) =>
    Array.from({ length }, (_, place) => (((index * step) >> place) & 1 ? 'x' : '.')).join(''),
  );

function compareTakes(text: string, size: number, groups: number): void {
  const { picture } = drawn(text);
  const wanted = { picture, others: [], size, groups: { take: groups, whole: groups }, isOffered: anySeat };
  const found = takesWithoutSingle(wanted).map(String);
  const expected = bruteAllowed(picture, size, groups).map(String);
  expect(found.length, `${text} ${size} ${groups}`).toBe(Math.min(expected.length, 200));
  if (expected.length < 200) expect(new Set(found)).toEqual(new Set(expected));
}

/** Every run of so many seats is refused exactly if it leaves a new single seat and another run does not. */
function compareRuns(text: string, size: number, isOffered: IsOffered = anySeat): void {
  const { picture } = drawn(text);
  const isAvoidable = bruteAllowed(picture, size, 1, isOffered).length > 0;
  const before = new Set(bruteSingles(picture));
  for (const take of runTakes(picture, size, isOffered)) {
    const leaves = bruteSingles(withSeats(picture, take, false)).some((place) => !before.has(place));
    const refusal = leftSingle({ picture, others: [], take, isOffered });
    expect(refusal !== undefined, `${text} ${take}`).toBe(leaves && isAvoidable);
    const instead = refusal?.instead ?? [];
    expect(instead.flatMap((other) => newSingles(picture, other))).toEqual([]);
    expect(instead.flat().every((place) => picture.seats.some((seat, at) => at === place && isOffered(seat)))).toBe(
      true,
    );
  }
}

describe('single seats: compared with brute force', () => {
  it.each(Array.from({ length: 12 }, (_, index) => index + 1))('all takes in rows of %i seats', (length) => {
    // Above nine seats every seventh row: all of them take minutes.
    const rows = rowsOf(length, length > 9 ? 7 : 1);
    for (const [index, text] of rows.entries()) {
      const row = length > 4 && index % 3 === 0 ? `${text.slice(0, 3)}|${text.slice(3)}` : text;
      for (const size of [1, 2, 3, 5]) for (const groups of [1, 2]) compareTakes(row, size, groups);
    }
  });

  it('the rule refuses a run exactly if it leaves a new single seat that another run avoids', () => {
    for (const text of rowsOf(10)) for (const size of [1, 2, 3]) compareRuns(text, size);
  });
});

describe('single seats in a partial sale', () => {
  it('a seat that is not on sale is an open neighbour, and is never offered instead', () => {
    // Of rows of nine, a price sells the first four, every other pair, or all but the ends.
    const sales: readonly IsOffered[] = [
      ({ label }) => Number(label) <= 4,
      ({ label }) => Math.floor(Number(label) / 2) % 2 === 0,
      ({ label }) => Number(label) > 1 && Number(label) < 9,
    ];
    for (const isOffered of sales) {
      for (const text of rowsOf(9)) for (const size of [1, 2, 3]) compareRuns(text, size, isOffered);
    }
  });

  it('the last pair of a sale is not refused because of seats that others sell', () => {
    const { picture } = drawn('.....');
    const isFirstPair: IsOffered = ({ label }) => label === '2' || label === '3';
    expect(leftSingle({ picture, others: [], take: [1, 2], isOffered: isFirstPair })).toBeUndefined();
    expect(leftSingle({ picture, others: [], take: [1, 2], isOffered: anySeat })).toMatchObject({ single: 0 });
  });
});

describe('the five known mistakes', () => {
  it('two pictures of a row: zone and price of a neighbour do not matter, a taken or blocked one is a wall', () => {
    const { picture } = drawn('......');
    const zones = picture.seats.map((seat, place): MapSeat => ({ ...seat, zone: place < 3 ? 'A' : 'B' }));
    const isZoneA = ({ zone }: MapSeat) => zone === 'A';
    // Seat 3 is in zone A and its neighbour 4 in zone B: 4 is open, so 3 is not alone.
    expect(leftSingle({ picture: { ...picture, seats: zones }, others: [], take: [0, 1], isOffered: isZoneA })).toBe(
      undefined,
    );
    expect(judged('...x...', 1, 2)).toBeUndefined();
    expect(judged('...x....', 1, 2)).toMatchObject({ single: 2 });
  });

  it('refusing the last pair: a take that cannot avoid a single seat is allowed', () => {
    expect(judged('xx...xx', 3, 4)).toBeUndefined();
    expect(judged('..', 1)).toBeUndefined();
    expect(judged('x.x.x', 2)).toBeUndefined();
  });

  it('judging seat by seat: the whole take is judged', () => {
    // One after the other, seat 1 alone would be fine and seat 3 alone would not.
    expect(judged('.....', 1, 2, 3)).toBeUndefined();
    expect(judged('....', 2, 3)).toMatchObject({ single: 0 });
    expect(judged('...', 1, 2, 3)).toBeUndefined();
  });

  it('splitting a party: nine in a row of ten stay together', () => {
    expect(judged('..........', 1, 2, 3, 4, 5, 6, 7, 8, 9)).toBeUndefined();
    // A pair could avoid the single seat only by sitting in two places.
    expect(judged('...|...', 1, 2)).toBeUndefined();
  });

  it('judging against the row before its own take: what the basket has already belongs to the take', () => {
    // The party of four has 1 and 2; 3 and 4 finish it. The last seat is alone whatever they do.
    expect(judged('oo...', 3, 4)).toBeUndefined();
    // It could sit side by side, and would leave 3 alone instead.
    expect(judged('oo.....', 4, 5)).toMatchObject({
      single: 2,
      instead: [
        [2, 3],
        [5, 6],
      ],
    });
    // Elsewhere in the row no seat would be alone, but the party would be split.
    expect(judged('oo...x....', 3, 4)).toBeUndefined();
    // What it took before was open for it, so filling up the row is no new single seat.
    expect(judged('o..o', 2, 3)).toBeUndefined();
  });
});

it('the refusal of a single seat names the two nearest takes that are allowed', () => {
  expect(judged('........', 2, 3)?.instead).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

it('wheelchair and companion places may be alone, and their takes are not judged', () => {
  const map = aSeatMap(
    [{ row: 'A', seats: '1-6' }],
    [
      { kind: 'wheelchair', seats: ['Stalls/A/1'], companionOf: null },
      { kind: 'companion', seats: ['Stalls/A/2'], companionOf: 'Stalls/A/1' },
    ],
  );
  const [row] = openRows(map);
  if (row === undefined) throw new Error('The row is missing.');
  const take = (...seats: number[]) =>
    leftSingle({ picture: row.picture, others: [], take: seats.map((seat) => seat - 1), isOffered: anySeat });
  // Seat 2 would leave 1 alone, a wheelchair place.
  expect(take(2, 3)).toBeUndefined();
  expect(take(2)).toBeUndefined();
  // They are no neighbours either: 3 has only 4.
  expect(take(4, 5)).toMatchObject({ single: 2 });
});

it('a free wheelchair or companion place is no neighbour, whoever looks for another take', () => {
  const map = aSeatMap(
    [{ row: 'A', seats: '1-7' }],
    [
      { kind: 'wheelchair', seats: ['Stalls/A/1'], companionOf: null },
      { kind: 'companion', seats: ['Stalls/A/2'], companionOf: 'Stalls/A/1' },
    ],
  );
  const [row] = openRows(map);
  if (row === undefined) throw new Error('The row is missing.');
  const isOffered: IsOffered = ({ kind }) => kind === 'standard';
  const take = (...seats: number[]) =>
    leftSingle({ picture: row.picture, others: [], take: seats.map((seat) => seat - 1), isOffered });
  expect(take(4, 5)).toMatchObject({
    single: 2,
    instead: [
      [2, 3],
      [5, 6],
    ],
  });
  expect(take(3, 4)).toBeUndefined();
  // Whatever four take of five, one is left.
  expect(take(4, 5, 6, 7)).toBeUndefined();
});

it('the parser of seats reads those of a row as people write them', () => {
  const labels = (text: string) => {
    const seats = parseLabels(text);
    return 'tooMany' in seats
      ? seats
      : seats.map(({ label, afterAisle }) => `${afterAisle ? '|' : ''}${label}`).join(' ');
  };
  expect(labels('1-4')).toBe('1 2 3 4');
  expect(labels('4-1')).toBe('4 3 2 1');
  expect(labels('1,3, 5')).toBe('1 3 5');
  expect(labels('1-2|3-4')).toBe('1 2 |3 4');
  expect(labels('A,B1')).toBe('A B1');
  expect(labels('1-400')).toEqual({ tooMany: 400 });
  expect(labels('1-999999')).toEqual({ tooMany: 999_999 });
  expect(labels('1-999999999')).toEqual({ tooMany: 999_999_999 });
  expect(labels(`${'9'.repeat(400)}-${'8'.repeat(400)}`)).toEqual({ tooMany: Infinity });
  expect(labels('1 - 3 | 4 – 5')).toBe('1 2 3 |4 5');
  expect(labels('A1-A3,A12-A10')).toBe('A1 A2 A3 A12 A11 A10');
  expect(labels('A08-A10')).toBe('A08 A09 A10');
  expect(labels('A1-A400')).toEqual({ tooMany: 400 });
  expect(labels('A1-3,Box 8–10')).toBe('A1 A2 A3 Box 8 Box 9 Box 10');
  expect(labels('A08-10')).toBe('A08 A09 A10');
  expect(labels('Box 1-999999999')).toEqual({ tooMany: 999_999_999 });
  // Names, not ranges.
  expect(labels('A-1,A1-B2,12-B')).toBe('A-1 A1-B2 12-B');
});
