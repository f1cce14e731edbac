import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { type CustomerSort, firstSortKeyChangedAfter, idOfSortKey, sortKeyOf } from '../../domain/customers/sort.ts';
import { idText, parseId } from '../../domain/ids.ts';
import type { SearchQuery } from '../../domain/search/query.ts';
import { inOrder, type Match, readMatching } from '../lists/found-rows.ts';
import type { FoundElsewhere } from '../lists/list-page.ts';
import { RangeReader, readRange } from '../lists/range-reader.ts';
import type { WordEntry } from '../lists/word-row.ts';
import { WordSearch } from '../lists/word-search.ts';
import { keysInOrder } from '../positions/read.ts';
import { batchGet } from '../table/batch-get.ts';
import { customerKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { customerWordRange } from './items.ts';
import { changedRange, idRange } from './ranges.ts';
import { readCustomer } from './read.ts';
import { parseCustomer } from './row.ts';

interface Wanted {
  readonly orgId: string;
  readonly sort: CustomerSort;
  readonly descending: boolean;
  readonly matchesFilter: (customer: CustomerRecord) => boolean;
}

interface SearchWanted extends Wanted {
  readonly search: SearchQuery;
  readonly updatedSince: number | undefined;
}

type Found = FoundElsewhere<CustomerRecord>;
type Matches = AsyncGenerator<readonly Match<CustomerRecord>[]>;

const idOf = ({ userId }: CustomerRecord): number => userId;
const idAt = (sortKey: string): number => Number(idOfSortKey(sortKey));

/** The customers that changed after a time, for a list in another order. */
export function changedCustomers(table: Table, wanted: Wanted & { readonly updatedSince: number }): Found {
  const { orgId, updatedSince } = wanted;
  const reader = new RangeReader(table, changedRange(orgId, updatedSince));
  let first: readonly CustomerRecord[] = [];
  return {
    ...readerOf(table, orgId),
    async readFirst() {
      first = await reader.read(fewCustomers);
      return reader.hasEnded;
    },
    async *matches(expected) {
      if (reader.hasEnded) return yield* rowsInOrder(wanted, first);
      yield* customersInOrder(table, wanted, await changedIds(table, orgId, updatedSince), expected);
    },
  };
}

async function changedIds(table: Table, orgId: string, updatedSince: number): Promise<ReadonlySet<number>> {
  const from = firstSortKeyChangedAfter(updatedSince);
  const ids = new Set<number>();
  const list = { orgId, resource: 'customers', list: 'updated', descending: false, from } as const;
  for await (const keys of keysInOrder(table, list)) for (const key of keys) ids.add(idAt(key));
  return ids;
}

/** The customers that have the words of a search, or whose id is one. */
export function searchedCustomers(table: Table, wanted: SearchWanted): Found {
  const { orgId, search, updatedSince, matchesFilter } = wanted;
  const reader = readerOf(table, orgId);
  const rangeOf = customerWordRange(orgId);
  const words = new WordSearch<CustomerRecord, WordEntry>({
    ...reader,
    search,
    readerOf: (key) => new RangeReader(table, rangeOf(key)),
    rowsWithIds: async (ids) => (await Promise.all(ids.map((id) => customersWithId(table, orgId, id)))).flat(),
    matchesFilter,
  });
  return {
    ...reader,
    readFirst: () => words.readFirst(),
    async *matches(expected) {
      const { rows, entries } = await words.find();
      if (entries.length === 0) return yield* rowsInOrder(wanted, rows);
      const found = new Set([...rows.map(idOf), ...entries.map(({ id }) => id)]);
      if (updatedSince === undefined) return yield* customersInOrder(table, wanted, found, expected);
      // Words do not say when a customer changed.
      if (found.size <= fewCustomers) return yield* fewInOrder(table, wanted, found);
      const changed = await changedIds(table, orgId, updatedSince);
      const ids = new Set([...found].filter((id) => changed.has(id)));
      yield* customersInOrder(table, wanted, ids, expected);
    },
  };
}

/** As many as one BatchGetItem reads. */
const fewCustomers = 100;

/**
 * Customers in the order of a list. Their ids are the order in which they were added. For another order, few customers are read
 * and sorted; if there are more, theirs are picked from the keys of the whole list.
 */
async function* customersInOrder(table: Table, wanted: Wanted, ids: ReadonlySet<number>, expected: number): Matches {
  const { orgId, sort, descending } = wanted;
  if (sort === 'added') {
    const found = [...ids].map((id) => ({ id, sortKey: idText(id) }));
    yield* inOrder(found, descending);
  } else if (ids.size <= fewCustomers) {
    yield* fewInOrder(table, wanted, ids);
  } else {
    const list = { orgId, resource: 'customers', list: sort, descending } as const;
    for await (const keys of keysInOrder(table, list, { first: Math.max(expected, leastKeys) })) {
      yield keys.map((sortKey) => ({ id: idAt(sortKey), sortKey })).filter(({ id }) => ids.has(id));
    }
  }
}

/** If a page is not found among the first rows, few of them match: then more keys are needed than the page has customers. */
const leastKeys = 1_000;

async function* fewInOrder(table: Table, wanted: Wanted, ids: ReadonlySet<number>): Matches {
  const found = [...ids].map((id) => ({ id }));
  const rows = await readMatching({ ...wanted, ...readerOf(table, wanted.orgId) }, found);
  yield* rowsInOrder(wanted, [...rows.values()]);
}

function rowsInOrder({ sort, descending }: Wanted, rows: readonly CustomerRecord[]) {
  return inOrder(
    rows.map((row) => ({ id: row.userId, sortKey: sortKeyOf(sort, row), row })),
    descending,
  );
}

function readerOf(table: Table, orgId: string) {
  const readRows = async (found: readonly { readonly id: number }[], consistent: boolean) => {
    const keys = found.map(({ id }) => customerKey(orgId, id));
    return (await batchGet(table, keys, { consistent })).map(parseCustomer);
  };
  return { idOf, readRows };
}

/** Returns the customers whose org_customer_id or user id is exactly this text. */
async function customersWithId(table: Table, orgId: string, id: string): Promise<readonly CustomerRecord[]> {
  const userId = parseId(id);
  const [byOwnId, byUserId] = await Promise.all([
    readRange(table, idRange(orgId, id), idsPerQuery),
    userId === undefined ? undefined : readCustomer(table, orgId, userId),
  ]);
  return byUserId === undefined ? byOwnId : [...byOwnId, byUserId];
}

/** Few customers have ids that differ only in case or accents, so a page is small. */
const idsPerQuery = 10;
