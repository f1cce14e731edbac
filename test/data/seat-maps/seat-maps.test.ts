import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleCreate } from '../../../functions/api/seat-maps/create-seat-map.ts';
import { handle as handleList } from '../../../functions/api/seat-maps/list-seat-maps.ts';
import { handle as handleRetrieve } from '../../../functions/api/seat-maps/retrieve-seat-map.ts';
import { handle as handleUpdate } from '../../../functions/api/seat-maps/update-seat-map.ts';
import { mapParts, parseMapParts } from '../../../shared/data/seat-maps/row.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { seatsOf } from '../../../shared/domain/seats/seat-map.ts';
import { createSeatMap } from '../../../shared/operations/seat-maps/create-seat-map.ts';
import { listSeatMaps } from '../../../shared/operations/seat-maps/list-seat-maps.ts';
import { retrieveSeatMap } from '../../../shared/operations/seat-maps/retrieve-seat-map.ts';
import { updateSeatMap } from '../../../shared/operations/seat-maps/update-seat-map.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { callHandler } from '../../support/call-handler.ts';
import { pretixPlan } from '../../support/pretix-plan.ts';
import { createTestTable } from '../../support/table.ts';

type Body = Readonly<Record<string, unknown>>;
const orgId = 'org_theatre';
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const create = (body: Body) => callHandler(createSeatMap, handleCreate, { body }, { table, orgId });
const update = (id: unknown, body: Body, ifMatch?: number) =>
  callHandler(updateSeatMap, handleUpdate, { params: { seat_map_id: String(id) }, body }, { table, orgId, ifMatch });
const retrieve = (id: unknown, query: Body = {}) =>
  callHandler(retrieveSeatMap, handleRetrieve, { params: { seat_map_id: String(id) }, query }, { table, orgId });
const rows = (...list: readonly (readonly [row: string, seats: string])[]) =>
  list.map(([row, seats]) => ({ row, seats }));
const hall = {
  title: 'Hall',
  sections: [{ section: 'Stalls', zone: 'A', rows: rows(['1', '1-3|4-6'], ['2', 'a,b']) }],
};

describe('seat maps', () => {
  it('are made from sections, and show every seat', async () => {
    const made = await create({ ...hall, code: 'hall', kinds: [{ kind: 'wheelchair', seats: ['Stalls/2/a'] }] });
    expect(made).toMatchObject({ title: 'Hall', code: 'hall', version: 1, seats: 8, zones: [{ zone: 'A', seats: 8 }] });
    expect(await retrieve(made.seat_map_id)).toMatchObject({
      version: 1,
      sections: [
        {
          section: 'Stalls',
          zone: 'A',
          rows: [
            { row: '1', seats: ['1', '2', '3', '4', '5', '6'], aisles: ['3'], zone: 'A', zones: null, positions: null },
            { row: '2', seats: ['a', 'b'], aisles: [] },
          ],
        },
      ],
      kinds: [{ kind: 'wheelchair', seats: ['Stalls/2/a'], companion_of: null }],
    });
  });

  it("are made from a plan of pretix's editor, unchanged", async () => {
    const made = await create({ title: 'Drawn', plan: pretixPlan });
    expect(made).toMatchObject({
      seats: 5,
      zones: [
        { zone: 'Front', color: '#33ffff', seats: 4 },
        { zone: 'Back', seats: 1 },
      ],
    });
    expect(await retrieve(made.seat_map_id)).toMatchObject({
      sections: [
        {
          section: 'Main Area',
          zone: null,
          rows: [
            {
              row: '0',
              seats: ['0-0', '0-1', '0-2', '0-3', '0-4'],
              zones: ['Front', 'Front', 'Front', 'Front', 'Back'],
              aisles: ['0-2'],
              positions: [
                [50, 45.5],
                [80, 45.5],
                [110, 45.5],
                [200, 45.5],
                [230, 45.5],
              ],
            },
          ],
        },
      ],
    });
  });

  it('have versions that never change', async () => {
    const { seat_map_id } = await create({ ...hall, code: 'versions' });
    const more = { title: 'Larger', sections: [{ section: 'Stalls', rows: rows(['1', '1-9']) }] };
    await expect(update(seat_map_id, more, 7)).rejects.toMatchObject({ code: 'version_conflict' });
    expect(await update(seat_map_id, more, 1)).toMatchObject({ version: 2, seats: 9, title: 'Larger' });
    expect(await retrieve(seat_map_id)).toMatchObject({ version: 2, seats: 9 });
    expect(await retrieve(seat_map_id, { version: 1 })).toMatchObject({ version: 1, seats: 8, zones: [{ zone: 'A' }] });
    await expect(retrieve(seat_map_id, { version: 3 })).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(update('7', more)).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(create({ ...hall, code: 'versions' })).rejects.toMatchObject({ code: 'code_taken' });
  });

  it('are listed without their seats', async () => {
    const { data } = await callHandler(listSeatMaps, handleList, {}, { table, orgId });
    expect(data).toContainEqual({ seat_map_id: expect.any(Number), code: 'hall', title: 'Hall', version: 1, seats: 8 });
  });

  it('are checked by dry_run, which writes nothing', async () => {
    const before = await itemsLike(table, `SMP#${orgId}`);
    const lonely = { title: 'Box', sections: [{ section: 'Box', rows: rows(['1', '1']) }], dry_run: true };
    expect(await create(lonely)).toMatchObject({ version: 1, warnings: [{ code: 'seat_without_neighbour' }] });
    expect(await itemsLike(table, `SMP#${orgId}`)).toHaveLength(before.length);
  });

  it('of a drawn plan: dry_run names the rows of a section that have other aisles than most', async () => {
    // The same aisle, after four seats, is 1.84, 1.9 and 1.68 usual gaps wide.
    const drawnRow = (row_number: string, gap: number, y: number) => ({
      row_number,
      position: { x: 0, y },
      seats: [0, 1, 2, 3]
        .flatMap((at) => [at, 3 + gap + at])
        .toSorted((one, other) => one - other)
        .map((x, index) => ({
          seat_guid: `${row_number}-${index}`,
          seat_number: String(index + 1),
          category: 'Front',
          position: { x: x * 30, y: 0 },
        })),
    });
    const rowsOf = (...gaps: readonly number[]) =>
      gaps.map((gap, index) => drawnRow('ABC'[index] ?? '', gap, index * 30));
    const plan = (...gaps: readonly number[]) => ({
      ...pretixPlan,
      zones: [{ name: 'Stalls', position: { x: 0, y: 0 }, rows: rowsOf(...gaps) }],
    });
    expect(await create({ title: 'Drawn', plan: plan(1.84, 1.68, 1.9), dry_run: true })).toMatchObject({
      warnings: [{ code: 'aisles_differ', message: expect.stringMatching(/^In the section Stalls, .* row B /) }],
    });
    expect(await create({ title: 'Drawn', plan: plan(1.84, 1.9, 2), dry_run: true })).toMatchObject({ warnings: [] });
    // Whoever writes an aisle means it.
    const written = { title: 'Hall', sections: [{ section: 'A', rows: rows(['1', '1-4|5-8'], ['2', '1-8']) }] };
    expect(await create({ ...written, dry_run: true })).toMatchObject({ warnings: [] });
  });

  it('of 80,000 seats fit, in few read units', async () => {
    const sections = Array.from({ length: 100 }, (_, section) => ({
      section: `Block ${section + 1}`,
      zone: `Zone ${section % 5}`,
      rows: Array.from({ length: 27 }, (_, row) => ({ row: String(row + 1), seats: '1-15|16-30' })),
    }));
    const { seat_map_id, seats } = await create({ title: 'Stadium', sections });
    expect(seats).toBe(81_000);
    const shown = await retrieve(seat_map_id);
    expect(shown.sections).toHaveLength(100);
    // Lambda returns at most 6 MB.
    expect(JSON.stringify(shown).length).toBeLessThan(2_000_000);
    const parts = await itemsLike(table, `SMP#${orgId}#${seat_map_id}`);
    expect(JSON.stringify(parts).length).toBeLessThan(60_000);
  });

  it('that are drawn keep every position in as many parts as they need', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 100_000;
    };
    const flat = aSeatMap(Array.from({ length: 1_000 }, (_, row) => ({ row: `${row}`, seats: '1-80' })));
    const map = {
      ...flat,
      isDrawn: true,
      sections: flat.sections.map((section) => ({
        ...section,
        rows: section.rows.map((row) => ({
          ...row,
          seats: row.seats.map((seat) => ({ ...seat, x: random() / 8, y: random() / 8 })),
        })),
      })),
    };
    const parts = mapParts(orgId, 7, 1, map);
    expect(parts.length).toBeGreaterThan(1);
    expect(parseMapParts(parts)).toEqual(map);
    expect(seatsOf(map)).toHaveLength(80_000);
  });
});
