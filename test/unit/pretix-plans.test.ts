import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SeatMap, seatNamesOf, seatsOf } from '../../shared/domain/seats/seat-map.ts';
import { seatMapOf } from '../../shared/http/handlers/seat-map-input.ts';
import { pretixPlan } from '../support/pretix-plan.ts';
import { pretixSchema } from '../support/pretix-schema.ts';

const isPublishedFormat = new Ajv({ allErrors: true }).compile(pretixSchema);
const mapOf = (plan: Record<string, unknown>): SeatMap =>
  seatMapOf({ title: 'Hall', plan, sections: null, kinds: null });

const name = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/);
const coordinate = fc.integer({ min: -5_000, max: 5_000 });
const position = fc.record({ x: coordinate, y: coordinate });
const uniqueNames = { minLength: 1, maxLength: 4 };

/** Plans that the published format allows, and in which no seat has the name of another. */
const plans = fc.uniqueArray(name, { minLength: 1, maxLength: 3 }).chain((categories) => {
  const seat = fc.record({ seat_number: name, seat_guid: name, position, category: fc.constantFrom(...categories) });
  const row = fc.record(
    {
      row_number: name,
      seats: fc.uniqueArray(seat, { ...uniqueNames, selector: ({ seat_number }) => seat_number }),
      position,
      number_of_seats: fc.nat(),
      seats_spacing: fc.nat(),
    },
    { requiredKeys: ['row_number', 'seats'] },
  );
  const zone = fc.record(
    {
      name,
      position,
      displayed: fc.boolean(),
      rows: fc.uniqueArray(row, { ...uniqueNames, selector: ({ row_number }) => row_number }),
      areas: fc.array(fc.record({ width: fc.nat(), height: fc.nat(), position, text: fc.string() }), { maxLength: 2 }),
    },
    { requiredKeys: ['name', 'position', 'rows'] },
  );
  return fc.record(
    {
      name: fc.string(),
      categories: fc.constant(categories.map((one) => ({ name: one, color: '#336699' }))),
      zones: fc.uniqueArray(zone, { minLength: 1, maxLength: 3, selector: (one) => one.name }),
      size: fc.record({ width: fc.nat(), height: fc.nat() }),
    },
    { requiredKeys: ['name', 'categories', 'zones'] },
  );
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

  it('load as the editor saves them, although the published format forbids what it adds', () => {
    expect(isPublishedFormat(pretixPlan)).toBe(false);
    const added = new Set(isPublishedFormat.errors?.map(({ params }) => params.additionalProperty));
    expect(added).toEqual(new Set([undefined, 'uuid', 'zone_id', 'row_number_position', 'radius', 'shape']));
    expect(seatsOf(mapOf(pretixPlan))).toHaveLength(5);
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
