import { type CustomerRecord, lastChangedUnixOf } from '../../domain/customers/customer.ts';
import {
  type CustomerSort,
  changedAtSortKey,
  firstSortKeyChangedAfter,
  sortKeyOf,
} from '../../domain/customers/sort.ts';
import { type Candidates, type Match, smallRowsPerRow } from '../lists/candidates.ts';
import { RangeReader } from '../lists/range-reader.ts';
import { allKeys } from '../positions/all-keys.ts';
import type { Table } from '../table/table.ts';
import { customerMatchesOf, readCustomers } from './positioned.ts';
import { changedRange } from './ranges.ts';

interface Changed {
  readonly orgId: string;
  readonly sort: CustomerSort;
  readonly updatedSince: number;
}

/** The customers that changed after a time, for a list in another order. */
export function changedCustomers(table: Table, wanted: Changed) {
  return {
    candidates: new ChangedCustomers(table, wanted),
    idOf: ({ userId }: CustomerRecord): number => userId,
    readRows: (matches: readonly Match<CustomerRecord>[], consistent: boolean) =>
      readCustomers(table, wanted.orgId, matches, consistent),
  };
}

/** If more customers have changed, the times of all customers are read from the position tree of the list by last change. */
const maxRows = 500;

class ChangedCustomers implements Candidates<CustomerRecord> {
  readonly #table: Table;
  readonly #wanted: Changed;
  readonly #reader: RangeReader<CustomerRecord>;
  readonly #found = new Map<number, CustomerRecord>();
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
    if (this.#reader.hasEnded) {
      return [...this.#found.values()].map((row) => ({ id: row.userId, sortKey: sortKeyOf(sort, row), row }));
    }
    const first = firstSortKeyChangedAfter(updatedSince);
    const changed = [...(await allKeys(this.#table, { orgId, resource: 'customers' }, 'updated'))]
      .filter((sortKey) => sortKey >= first)
      .map(changedAtSortKey);
    const matchesFilter = (customer: CustomerRecord): boolean => lastChangedUnixOf(customer) > updatedSince;
    return customerMatchesOf(this.#table, { orgId, sort, matchesFilter }, changed);
  }
}
