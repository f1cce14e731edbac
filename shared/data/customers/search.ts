import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { parseId } from '../../domain/ids.ts';
import { indexedWords, type SearchQuery } from '../../domain/search/query.ts';
import type { CandidateRange } from '../lists/collector.ts';
import { memoize } from '../lists/memoize.ts';
import { RangeReader } from '../lists/range-reader.ts';
import type { Table } from '../table/table.ts';
import { changedRange, idRange, wordRange } from './ranges.ts';
import { readCustomer } from './read.ts';

interface Filters {
  readonly orgId: string;
  readonly search: SearchQuery | undefined;
  readonly updatedSince: number | undefined;
}

/**
 * The ranges that find the matching customers without reading all customers. Each range contains every matching customer, so
 * the first one that is read to its end has found them all.
 */
export function customerCandidates(
  table: Table,
  { orgId, search, updatedSince }: Filters,
): readonly CandidateRange<CustomerRecord>[] {
  const findById = memoize((id) => customersWithId(table, orgId, id));
  const byWord = indexedWords(search).map(({ id, key }) => {
    const ids = [...new Set([id, search?.whole ?? id])];
    return { range: wordRange(orgId, key), additionalRows: async () => (await Promise.all(ids.map(findById))).flat() };
  });
  return updatedSince === undefined ? byWord : [...byWord, { range: changedRange(orgId, updatedSince) }];
}

/** Returns the customers whose org_customer_id or user id is exactly this text. */
async function customersWithId(table: Table, orgId: string, id: string): Promise<readonly CustomerRecord[]> {
  const userId = parseId(id);
  const [byOwnId, byUserId] = await Promise.all([
    readAll(new RangeReader(table, idRange(orgId, id))),
    userId === undefined ? undefined : readCustomer(table, orgId, userId),
  ]);
  return byUserId === undefined ? byOwnId : [...byOwnId, byUserId];
}

/** Few customers have ids that differ only in case or accents, so a page is small. */
const pageSize = 10;

async function readAll(reader: RangeReader<CustomerRecord>): Promise<readonly CustomerRecord[]> {
  const rows: CustomerRecord[] = [];
  while (!reader.hasEnded) rows.push(...(await reader.read(pageSize)));
  return rows;
}
