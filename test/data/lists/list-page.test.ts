import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOrder } from '../../../shared/data/lists/found-rows.ts';
import { type FoundElsewhere, type RowList, readListPage } from '../../../shared/data/lists/list-page.ts';
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
function thirds(first: number): FoundElsewhere<Row> {
  const reader = new RangeReader(table, { partition: 'THIRD', parse });
  const found: Row[] = [];
  return {
    idOf: ({ id }) => id,
    readRows: async (matches, consistent) => {
      const keys = matches.map(({ sortKey }) => ({ pk: 'ALL', sk: sortKey }));
      return (await batchGet(table, keys, { consistent })).map(parse);
    },
    async readFirst() {
      found.push(...(await reader.read(first)));
      return reader.hasEnded;
    },
    async *matches() {
      while (!reader.hasEnded) found.push(...(await reader.read(30)));
      yield* inOrder(found, false);
    },
  };
}

const listOf = (page: number, first: number, isWanted = everyThird): RowList<Row> => ({
  page,
  limit: 20,
  descending: false,
  order: { partition: 'ALL', parse },
  matchesFilter: ({ id }) => isWanted(id),
  found: thirds(first),
});

describe('list pages of filtered rows', () => {
  it.each([1, 5, 10, 11])('list page %d is the same whether many or few rows match', async (page) => {
    const expected = { rows: wanted.slice((page - 1) * 20, page * 20), hasMore: page < 10 };
    for (const first of [1, 30, 300]) expect(await readListPage(table, listOf(page, first))).toEqual(expected);
  });

  it('list pages leave out rows that do not match any more, and the next ones take their place', async () => {
    const isWanted = (id: number): boolean => everyThird(id) && id % 5 > 0;
    const left = wanted.filter(({ id }) => isWanted(id));
    // The first page: the rows before a later one are counted where they are found.
    expect(await readListPage(table, listOf(1, 300, isWanted))).toEqual({ rows: left.slice(0, 20), hasMore: true });
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
