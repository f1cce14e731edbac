import { describe, expect, it } from 'vitest';
import { bestSeats, type OpenRow } from '../../shared/domain/seats/best-seats.ts';
import type { SeatMap } from '../../shared/domain/seats/seat-map.ts';
import { aSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { openRows as open } from '../support/seats.ts';

const wish = { wheelchairs: 0, together: true, avoidsSingles: true, zone: 'Stalls' };
function found(map: SeatMap, rows: readonly OpenRow[], size: number, more: Partial<typeof wish> = {}) {
  const best = bestSeats(map, rows, { ...wish, size, ...more });
  if (best.outcome !== 'found') return best.outcome;
  return best.takes
    .slice(0, best.among)
    .map((take) =>
      take.rows
        .map(({ row, positions }) => `${row} ${(positions[0] ?? 0) + 1}-${(positions.at(-1) ?? 0) + 1}`)
        .join(' + '),
    );
}

/** The rule in words, for two rows of six with the stage in front of the middle: `.` is open, `x` is taken. */
function bruteBest(texts: readonly string[], size: number): readonly string[] | 'none in a row' {
  const singles = (row: string) =>
    [...row].flatMap((one, at) => (one === '.' && row[at - 1] !== '.' && row[at + 1] !== '.' ? [at] : []));
  const runs = texts.map((row, depth) =>
    Array.from({ length: 7 - size }, (_, from) => from)
      .filter((from) => row.slice(from, from + size) === '.'.repeat(size))
      .map((from) => {
        const after = `${row.slice(0, from)}${'x'.repeat(size)}${row.slice(from + size)}`;
        const leaves = singles(after).some((at) => !singles(row).includes(at));
        const distance = Math.hypot(from + (size - 1) / 2 - 2.5, depth);
        return { name: `${'AB'[depth]} ${from + 1}-${from + size}`, leaves, distance };
      }),
  );
  const isAvoided = runs.flat().some(({ leaves }) => !leaves);
  const best = runs.flatMap((inRow) => {
    const allowed = inRow.filter(({ leaves }) => !(isAvoided && leaves));
    return allowed.toSorted((one, other) => one.distance - other.distance).slice(0, 1);
  });
  if (best.length === 0) return 'none in a row';
  return best.toSorted((one, other) => one.distance - other.distance).map(({ name }) => name);
}

describe('best seats', () => {
  const hall = aSeatMap([
    { row: 'A', seats: '1-6' },
    { row: 'B', seats: '1-6' },
  ]);

  it('are nearest to the stage, in the middle of the front row', () => {
    expect(found(hall, open(hall), 2)).toMatchObject({ 0: 'A 3-4' });
  });

  it('leave no new single seat if any run avoids it', () => {
    expect(found(hall, open(hall), 3)).toEqual(['A 1-3', 'B 1-3']);
    expect(found(hall, open(hall, ['A1', 'A2', 'A3', 'B1', 'B2', 'B3']), 2)).toEqual(['A 4-5', 'B 4-5']);
  });

  it('are those of the rule in words, in every state of two rows', () => {
    for (let state = 0; state < 2 ** 12; state += 1) {
      const seats = Array.from({ length: 12 }, (_, place) => ((state >> place) & 1 ? 'x' : '.')).join('');
      const texts = [seats.slice(0, 6), seats.slice(6)];
      const taken = [...seats].flatMap((one, at) => (one === 'x' ? [`${at < 6 ? 'A' : 'B'}${(at % 6) + 1}`] : []));
      for (const size of [1, 2, 3]) {
        const expected = bruteBest(texts, size);
        if (expected !== 'none in a row') expect(found(hall, open(hall, taken), size), texts.join()).toEqual(expected);
      }
    }
  });

  it('are in two adjoining rows with nobody alone if no row has room, and refused otherwise', () => {
    const taken = ['A1', 'A2', 'B1', 'B2'];
    expect(found(hall, open(hall, taken), 6)).toEqual(['A 3-6 + B 3-4']);
    expect(found(hall, open(hall, ['A2', 'A4', 'A6', 'B2', 'B4', 'B6']), 3)).toBe('not_together');
    expect(found(hall, open(hall, ['A2', 'A4', 'A6', 'B2', 'B4', 'B6']), 3, { together: false })).toHaveLength(1);
    expect(found(hall, open(hall), 13)).toBe('sold_out');
  });

  it('splitting a party: nine in a row of ten stay together', () => {
    const map = aSeatMap([
      { row: 'A', seats: '1-10' },
      { row: 'B', seats: '1-8' },
    ]);
    expect(found(map, open(map), 9)).toEqual(['A 1-9']);
  });

  it('are one candidate of each row, in the quarter of the rows that is nearest, of the zone', () => {
    const map = aSeatMap([
      ...Array.from({ length: 19 }, (_, row) => ({ row: `${row + 1}`, seats: '1-20' })),
      { section: 'Circle', row: 'A', seats: '1-20' },
    ]);
    expect(found(map, open(map), 2)).toEqual(['1 10-11', '2 10-11', '3 10-11', '4 10-11', '5 10-11']);
    expect(found(map, open(map), 2, { zone: 'Circle' })).toEqual(['A 10-11']);
  });

  it('are chosen by the rows of the zone, whatever the hall has besides', () => {
    const map = aSeatMap([
      ...Array.from({ length: 8 }, (_, row) => ({ row: `${row + 1}`, seats: '1-4' })),
      ...Array.from({ length: 60 }, (_, row) => ({ row: `${row + 9}`, seats: '1-4', zone: 'Terrace' })),
    ]);
    expect(found(map, open(map), 2)).toHaveLength(4);
  });

  it('are in sixteen rows at most', () => {
    const map = aSeatMap(Array.from({ length: 100 }, (_, row) => ({ row: `${row + 1}`, seats: '1-4' })));
    expect(found(map, open(map), 2)).toHaveLength(16);
  });

  it('leave no seat alone beside a free companion place', () => {
    const map = aSeatMap(
      [
        { row: 'A', seats: '1-8' },
        { row: 'B', seats: '1-5' },
      ],
      [
        { kind: 'wheelchair', seats: ['Stalls/A/8'], companionOf: null },
        { kind: 'companion', seats: ['Stalls/A/7'], companionOf: 'Stalls/A/8' },
      ],
    );
    expect(found(map, open(map), 5)).toEqual(['B 1-5']);
  });

  it('with a wheelchair are a wheelchair place and its companion seat', () => {
    const map = aSeatMap(
      [{ row: 'A', seats: '1-6' }],
      [
        { kind: 'wheelchair', seats: ['Stalls/A/5'], companionOf: null },
        { kind: 'companion', seats: ['Stalls/A/6'], companionOf: 'Stalls/A/5' },
      ],
    );
    expect(found(map, open(map), 2, { wheelchairs: 1 })).toEqual(['A 5-6']);
    expect(found(map, open(map, ['A5']), 2, { wheelchairs: 1 })).toBe('accessible_sold_out');
    // Others do not get them.
    expect(found(map, open(map), 5)).toBe('sold_out');
  });

  it('with a wheelchair take a companion seat only for a further ticket', () => {
    const map = wheelchairsInTwoRows;
    expect(found(map, open(map), 1, { wheelchairs: 1 })).toEqual(['A 1-1', 'B 1-1']);
    expect(found(map, open(map), 2, { wheelchairs: 1 })).toEqual(['A 1-2', 'B 1-2']);
  });

  it('with wheelchairs say whether places are missing, seats are missing, or only not in one row', () => {
    const map = wheelchairsInTwoRows;
    expect(found(map, open(map), 2, { wheelchairs: 2 })).toBe('not_together');
    expect(found(map, open(map), 2, { wheelchairs: 2, together: false })).toEqual(['A 1-1 + B 1-1']);
    expect(found(map, open(map), 3, { wheelchairs: 3 })).toBe('accessible_sold_out');
    expect(found(map, open(map), 9, { wheelchairs: 2 })).toBe('sold_out');
    expect(found(map, open(map), 5, { wheelchairs: 1 })).toBe('not_together');
    // The companion seat of B belongs to a place that is not taken.
    expect(found(map, open(map), 6, { wheelchairs: 1, together: false })).toEqual(['A 1-1 + A 2-4 + B 3-4']);
    expect(found(map, open(map), 7, { wheelchairs: 1, together: false })).toBe('sold_out');
  });
});

const wheelchairsInTwoRows = aSeatMap(
  [
    { row: 'A', seats: '1-4' },
    { row: 'B', seats: '1-4' },
  ],
  [
    { kind: 'wheelchair', seats: ['Stalls/A/1', 'Stalls/B/1'], companionOf: null },
    { kind: 'companion', seats: ['Stalls/A/2'], companionOf: 'Stalls/A/1' },
    { kind: 'companion', seats: ['Stalls/B/2'], companionOf: 'Stalls/B/1' },
  ],
);
