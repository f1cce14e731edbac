import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SeatMap, seatNamesOf, seatsOf } from '../../shared/domain/seats/seat-map.ts';
import { seatMapOf } from '../../shared/http/handlers/input/seat-map-input.ts';
import { pretixPlan } from '../support/pretix-plan.ts';
import { pretixSchema } from '../support/pretix-schema.ts';

const isPublishedFormat = new Ajv({ allErrors: true }).compile(pretixSchema);
const mapOf = (plan: Record<string, unknown>): SeatMap =>
  seatMapOf({ title: 'Hall', plan, sections: null, kinds: null });

const name = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/);
const guid = fc.stringMatching(/^[a-z0-9]{2,8}$/);
const coordinate = fc.integer({ min: -50_000, max: 50_000 }).map((tenths) => tenths / 8);
const position = fc.record({ x: coordinate, y: coordinate });
const uniqueNames = { minLength: 1, maxLength: 4 };
const orNull = (text: fc.Arbitrary<string>) => fc.option(text, { nil: null });

/** Plans that the published format allows, and in which no seat has the name of another. */
const plans = fc.uniqueArray(name, { minLength: 1, maxLength: 3 }).chain((categories) => {
  const seat = fc.record(
    {
      seat_number: name,
      seat_guid: guid,
      position,
      category: fc.constantFrom(...categories),
      uuid: fc.uuid(),
      start_direction: orNull(fc.constantFrom('<', '>', '<>')),
      radius: fc.nat(),
    },
    { requiredKeys: ['seat_number', 'seat_guid', 'position', 'category'] },
  );
  const row = fc.record(
    {
      row_number: name,
      seats: fc.uniqueArray(seat, { ...uniqueNames, selector: ({ seat_number }) => seat_number }),
      position,
      row_label: orNull(fc.string()),
      seat_label: orNull(fc.string()),
      uuid: fc.uuid(),
      row_number_position: orNull(fc.constantFrom('start', 'end', 'both')),
    },
    { requiredKeys: ['row_number', 'seats'] },
  );
  const area = fc.record({ shape: fc.constant('text'), text: fc.record({ text: fc.string(), position }), position });
  const zone = fc.record(
    {
      name,
      position,
      zone_id: name,
      uuid: fc.uuid(),
      rows: fc.uniqueArray(row, { ...uniqueNames, selector: ({ row_number }) => row_number }),
      areas: fc.array(area, { maxLength: 2 }),
    },
    { requiredKeys: ['name', 'position', 'rows'] },
  );
  return fc.record({
    name: fc.string(),
    categories: fc.constant(categories.map((one) => ({ name: one, color: '#336699' }))),
    zones: fc.uniqueArray(zone, { minLength: 1, maxLength: 3, selector: (one) => one.name }),
    size: fc.record({ width: fc.nat(), height: fc.nat() }),
  });
});

describe("seating plans in pretix's format", () => {
  it('load unchanged if the published format allows them: every seat, with its zone and its place', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(isPublishedFormat(plan), JSON.stringify(isPublishedFormat.errors)).toBe(true);
        const map = mapOf(plan);
        const sent = plan.zones.flatMap((zone) =>
          zone.rows.flatMap(({ row_number, position: at = { x: 0, y: 0 }, seats }) =>
            seats.map(({ seat_number, category, position: own }) => ({
              seat: `${zone.name}/${row_number}/${seat_number}`,
              zone: category,
              x: zone.position.x + at.x + own.x,
              y: zone.position.y + at.y + own.y,
            })),
          ),
        );
        const names = seatNamesOf(map);
        expect(seatsOf(map).map(({ zone, x, y }, index) => ({ seat: names[index], zone, x, y }))).toEqual(sent);
      }),
      { numRuns: 50 },
    );
  });

  it('load with every property that the format has', () => {
    expect(isPublishedFormat(pretixPlan), JSON.stringify(isPublishedFormat.errors)).toBe(true);
    expect(seatsOf(mapOf(pretixPlan))).toHaveLength(5);
  });

  it('load with what later editors add', () => {
    const later = { ...pretixPlan, version: 2 };
    expect(isPublishedFormat(later)).toBe(false);
    expect(mapOf(later)).toEqual(mapOf(pretixPlan));
  });

  it('load with rows in pieces, without seats or without a name, as the format allows them', () => {
    const seats = (...numbers: readonly string[]) =>
      numbers.map((seat_number, x) => ({
        seat_guid: `g-${seat_number}`,
        seat_number,
        category: 'Back',
        position: { x, y: 0 },
      }));
    const rows = [
      { row_number: 'A', seats: seats('1', '2') },
      { row_number: 'B', seats: [] },
      { row_number: '', seats: seats('7') },
      { row_number: 'A', position: { x: 9, y: 0 }, seats: seats('3', '4') },
    ];
    const plan = { ...pretixPlan, zones: [{ position: { x: 0, y: 0 }, rows }] };
    expect(isPublishedFormat(plan), JSON.stringify(isPublishedFormat.errors)).toBe(true);
    const map = mapOf(plan);
    expect(seatNamesOf(map)).toEqual([
      ...['Section 1/A/1', 'Section 1/A/2', 'Section 1/A/3', 'Section 1/A/4'],
      'Section 1/Row 3/7',
    ]);
    expect(seatsOf(map).map(({ afterAisle }) => afterAisle)).toEqual([false, false, true, false, false]);
  });

  const [zone] = pretixPlan.zones;
  const [row] = zone?.rows ?? [];
  const [seat] = row?.seats ?? [];
  const withZone = (one: object) => ({ ...pretixPlan, zones: [one] });
  const withRow = (one: object) => withZone({ ...zone, rows: [one] });
  const withSeat = (one: object) => withRow({ ...row, seats: [one] });
  it.each([
    ['categories', { ...pretixPlan, categories: undefined }, 'plan.categories'],
    ['zones', { ...pretixPlan, zones: undefined }, 'plan.zones'],
    ['the position of a zone', withZone({ ...zone, position: undefined }), 'plan.zones[0].position'],
    ['the rows of a zone', withZone({ ...zone, rows: undefined }), 'plan.zones[0].rows'],
    ['the name of a row', withRow({ ...row, row_number: undefined }), 'plan.zones[0].rows[0].row_number'],
    ['the seats of a row', withRow({ ...row, seats: undefined }), 'plan.zones[0].rows[0].seats'],
    ['the name of a seat', withSeat({ ...seat, seat_number: 7 }), 'plan.zones[0].rows[0].seats[0].seat_number'],
    ['the position of a seat', withSeat({ ...seat, position: { x: 1 } }), 'plan.zones[0].rows[0].seats[0].position.y'],
    ['the category of a seat', withSeat({ ...seat, category: null }), 'plan.zones[0].rows[0].seats[0].category'],
  ])('are refused without %s, and the error names it', (_what, plan, param) => {
    expect(isPublishedFormat(plan)).toBe(false);
    expect(() => mapOf(plan)).toThrowError(expect.objectContaining({ details: [expect.objectContaining({ param })] }));
  });
});
