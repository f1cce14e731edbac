import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { parseId } from '../../domain/ids.ts';
import { type SearchQuery, withoutBeginnings } from '../../domain/search/query.ts';
import type { CandidateRange } from '../lists/collector.ts';
import { memoize } from '../lists/memoize.ts';
import { RangeReader } from '../lists/range-reader.ts';
import type { Table } from '../table/table.ts';
import { changedRange, idRange, wordRange } from './ranges.ts';
import { readCustomer } from './read.ts';

/** With many words, the longest narrow most; the others are only checked. */
const maxDrivers = 8;

interface Filters {
  readonly orgId: string;
  readonly search: SearchQuery | undefined;
  readonly updatedSince: number | undefined;
}

/**
 * Ways to gather the wanted customers without reading all: each is a range that holds every one of them among others. The
 * first to come to its end has them all.
 */
export function customerCandidates(
  table: Table,
  { orgId, search, updatedSince }: Filters,
): readonly CandidateRange<CustomerRecord>[] {
  const named = memoize((id) => namedCustomers(table, orgId, id));
  // Whoever has a word that begins with the longer one has one that begins with the shorter one.
  const needed = withoutBeginnings(search?.words ?? []);
  const longestFirst = needed.sort((one, other) => other.length - one.length);
  const byWord = longestFirst.slice(0, maxDrivers).map((word) => {
    const ids = [...new Set([word, search?.whole ?? word])];
    return { range: wordRange(orgId, word), additionalRows: async () => (await Promise.all(ids.map(named))).flat() };
  });
  return updatedSince === undefined ? byWord : [...byWord, { range: changedRange(orgId, updatedSince) }];
}

/** Whoever has this as an id, whole. */
async function namedCustomers(table: Table, orgId: string, id: string): Promise<readonly CustomerRecord[]> {
  const userId = parseId(id);
  const [byOwnId, byUserId] = await Promise.all([
    readAll(new RangeReader(table, idRange(orgId, id))),
    userId === undefined ? undefined : readCustomer(table, orgId, userId),
  ]);
  return byUserId === undefined ? byOwnId : [...byOwnId, byUserId];
}

/** Ids that differ in case or accents only are possible, but few. */
const namesakes = 10;

async function readAll(reader: RangeReader<CustomerRecord>): Promise<readonly CustomerRecord[]> {
  const rows: CustomerRecord[] = [];
  while (!reader.hasEnded) rows.push(...(await reader.read(namesakes)));
  return rows;
}
