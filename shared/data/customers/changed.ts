import { type CustomerRecord, lastChangedUnixOf } from '../../domain/customers/customer.ts';
import {
  type CustomerSort,
  changedAtSortKey,
  firstSortKeyChangedAfter,
  isTimeSort,
  sortKeyOf,
} from '../../domain/customers/sort.ts';
import { type Candidates, type Located, type Match, smallRowsPerRow } from '../lists/candidates.ts';
import { RangeReader } from '../lists/range-reader.ts';
import { keysFrom } from '../positions/all-keys.ts';
import { countKeys, locatePosition } from '../positions/locate.ts';
import type { Table } from '../table/table.ts';
import { customerMatchesOf, readCustomers, rowCostOf } from './positioned.ts';
import { changedRange } from './ranges.ts';

interface Changed {
  readonly orgId: string;
  readonly sort: CustomerSort;
  readonly descending: boolean;
  readonly updatedSince: number;
}

/** The customers that changed after a time, for a list in another order. */
export function changedCustomers(table: Table, wanted: Changed) {
  return {
    candidates: new ChangedCustomers(table, wanted),
    idOf: ({ userId }: CustomerRecord): number => userId,
    rowCost: rowCostOf(wanted.sort),
    readRows: (matches: readonly Match<CustomerRecord>[], consistent: boolean) =>
      readCustomers(table, wanted.orgId, matches, consistent),
  };
}

/** If more customers have changed, their number decides how they are found. */
const maxRows = 250;

/**
 * What it costs to find the customers of a page in the order of names or email addresses, in read units for each 1,000: a row
 * from the index by last change, which has all of the customer, or a key of a position tree.
 */
const unitsPerThousand = { row: 22, changedKey: 5, textKey: 6 } as const;

/** Rows are kept in memory until the page is known. */
const mostRows = 100_000;

type Way = 'rows of the changed' | 'rows of the others' | 'keys';

class ChangedCustomers implements Candidates<CustomerRecord> {
  readonly #table: Table;
  readonly #wanted: Changed;
  readonly #reader: RangeReader<CustomerRecord>;
  readonly #found = new Map<number, CustomerRecord>();
  #way: Way | undefined;
  rowsRead = 0;

  constructor(table: Table, wanted: Changed) {
    this.#table = table;
    this.#wanted = wanted;
    this.#reader = new RangeReader(table, changedRange(wanted.orgId, wanted.updatedSince));
  }

  async read(rows: number): Promise<void> {
    const read = await this.#reader.read(Math.ceil(rows / smallRowsPerRow));
    this.rowsRead += read.length * smallRowsPerRow;
    // A customer that changes meanwhile is read again, at the end.
    for (const customer of read) this.#found.set(customer.userId, customer);
  }

  get hasEnded(): boolean {
    return this.#reader.hasEnded || this.rowsRead >= maxRows * smallRowsPerRow;
  }

  async matches(): Promise<readonly Match<CustomerRecord>[]> {
    const { orgId, sort, updatedSince } = this.#wanted;
    if ((await this.#cheapestWay()) === 'rows of the changed') {
      while (!this.#reader.hasEnded) await this.read(mostRows);
      return [...this.#found.values()].map((row) => ({ id: row.userId, sortKey: sortKeyOf(sort, row), row }));
    }
    const keys = await keysFrom(this.#table, changedList(orgId), firstSortKeyChangedAfter(updatedSince));
    const matchesFilter = (customer: CustomerRecord): boolean => lastChangedUnixOf(customer) > updatedSince;
    return customerMatchesOf(this.#table, { orgId, sort, matchesFilter }, keys.map(changedAtSortKey));
  }

  /** If nearly all customers have changed, the others are read, and left out of the position tree of the sort order. */
  async locate(offset: number): Promise<Located | undefined> {
    if ((await this.#cheapestWay()) !== 'rows of the others') return undefined;
    const { orgId, sort, descending, updatedSince } = this.#wanted;
    const others = new RangeReader(this.#table, changedRange(orgId, undefined, updatedSince));
    const without: string[] = [];
    while (!others.hasEnded) without.push(...(await others.read(mostRows)).map((row) => sortKeyOf(sort, row)));
    return locatePosition(this.#table, { orgId, resource: 'customers', list: sort, descending, without }, offset);
  }

  async #cheapestWay(): Promise<Way> {
    const { orgId, sort, updatedSince } = this.#wanted;
    if (this.#reader.hasEnded) return 'rows of the changed';
    this.#way ??= wayOf(sort, await countKeys(this.#table, changedList(orgId), firstSortKeyChangedAfter(updatedSince)));
    return this.#way;
  }
}

const changedList = (orgId: string) => ({ orgId, resource: 'customers', list: 'updated' }) as const;

function wayOf(sort: CustomerSort, counted: { readonly all: number; readonly lower: number } | undefined): Way {
  if (counted === undefined) return 'keys';
  const { all, lower: others } = counted;
  const changed = all - others;
  const { row, changedKey, textKey } = unitsPerThousand;
  const ifFew = (rows: number, units: number): number => (rows > mostRows ? Number.POSITIVE_INFINITY : units);
  const ways: readonly (readonly [Way, number])[] = isTimeSort(sort)
    ? [
        // The keys contain the time and the id, so nothing else is read.
        ['keys', changed * changedKey],
        // In an order of time the others may be neighbours, and are then read again with the page.
        ['rows of the others', ifFew(others, 2 * others * row)],
      ]
    : [
        ['keys', changed * changedKey + all * textKey],
        ['rows of the changed', ifFew(changed, changed * row)],
        ['rows of the others', ifFew(others, others * row)],
      ];
  return ways.reduce((best, way) => (way[1] < best[1] ? way : best))[0];
}
