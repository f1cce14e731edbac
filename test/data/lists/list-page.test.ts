import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Candidates } from '../../../shared/data/lists/candidates.ts';
import { type RowList, readListPage } from '../../../shared/data/lists/list-page.ts';
import { RangeReader } from '../../../shared/data/lists/range-reader.ts';
import { batchGet } from '../../../shared/data/table/batch-get.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { createTestTable } from '../../support/table.ts';

const Row = v.object({ id: v.number(), sortKey: v.string() });
type Row = v.InferOutput<typeof Row>;
const parse = (item: unknown): Row => v.parse(Row, item);

const everyThird = (id: number): boolean => id % 3 === 0;
const rows = Array.from({ length: 600 }, (_, index) => ({ id: index, sortKey: String(index).padStart(5, '0') }));
const wanted = rows.filter(({ id }) => everyThird(id));
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  // All rows in order, and a second partition with only the wanted rows.
  const items = [
    ...rows.map((row) => ({ pk: 'ALL', sk: row.sortKey, ...row })),
    ...wanted.map((row) => ({ pk: 'THIRD', sk: row.sortKey, ...row })),
  ];
  for (let start = 0; start < items.length; start += 25) {
    const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: puts } }));
  }
});
afterAll(() => table.client.destroy());

/** Reads the second partition, as a search reads its words. */
class Thirds implements Candidates<Row> {
  readonly #reader = new RangeReader(table, { partition: 'THIRD', parse });
  readonly #found: Row[] = [];
  rowsRead = 0;

  async read(count: number): Promise<void> {
    const read = await this.#reader.read(count);
    this.rowsRead += read.length;
    this.#found.push(...read);
  }

  get hasEnded(): boolean {
    return this.#reader.hasEnded;
  }

  async matches() {
    return this.#found.map(({ id, sortKey }) => ({ id, sortKey }));
  }
}

const listOf = (page: number, maxRows: number): RowList<Row> => ({
  page,
  limit: 20,
  descending: false,
  order: { partition: 'ALL', parse },
  matchesFilter: ({ id }) => everyThird(id),
  found: {
    candidates: new Thirds(),
    idOf: ({ id }) => id,
    readRows: async (matches, consistent) => {
      const keys = matches.map(({ sortKey }) => ({ pk: 'ALL', sk: sortKey }));
      return (await batchGet(table, keys, { consistent })).map(parse);
    },
    maxRows,
  },
});

describe('list pages of filtered rows', () => {
  it.each([1, 5, 10, 11])('list page %d is the same whatever the limit of found rows', async (page) => {
    const expected = { rows: wanted.slice((page - 1) * 20, page * 20), hasMore: page < 10 };
    for (const maxRows of [0, 30, 150, 20_000]) {
      expect(await readListPage(table, listOf(page, maxRows))).toEqual(expected);
    }
  });

  it('a list that few rows match is read with few Queries', async () => {
    const { found: _, ...list } = listOf(1, 0);
    const isRare = (id: number): boolean => id % 40 === 7;
    table.meter.reset();
    const page = await readListPage(table, { ...list, limit: 10, matchesFilter: ({ id }) => isRare(id) });
    expect(page).toEqual({ rows: rows.filter(({ id }) => isRare(id)).slice(0, 10), hasMore: true });
    expect(table.meter.calls).toBeLessThanOrEqual(6);
  });
});
