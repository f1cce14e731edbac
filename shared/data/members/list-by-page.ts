import type { Table } from '../table/table.ts';
import { type PageRequest, readPage } from './list.ts';
import { readFilteredPage } from './list-filtered.ts';
import { matchingPositions, sortKeyAt } from './positions.ts';
import type { MemberPage } from './read.ts';

interface NumberedPage extends Omit<PageRequest, 'after'> {
  readonly page: number;
}

/**
 * Returns the page that begins after (page − 1) × limit members of the list as it is now. Nothing is remembered between
 * requests. The position trees have the members before the page; if an index applies every filter, it has the page.
 */
export async function readNumberedPage(table: Table, request: NumberedPage): Promise<MemberPage> {
  const { page, limit, plan } = request;
  const skip = (page - 1) * limit;
  if (skip === 0) return readPage(table, { ...request, after: undefined });
  if (plan.otherFilters.length > 0) {
    return readFilteredPage(table, { ...request, after: undefined, found: [], skip });
  }
  const isWholeTree = plan.index === 'all' || plan.index === 'updated';
  const after = await (isWholeTree ? sortKeyAt(table, request, skip - 1) : lastSkipped(table, request, skip));
  return after === undefined ? { members: [], next: undefined } : readPage(table, { ...request, after });
}

/** Returns the sort key of the last skipped member; undefined if the list ends before the page. */
async function lastSkipped(table: Table, request: NumberedPage, skip: number): Promise<string | undefined> {
  let left = skip;
  for await (const matches of matchingPositions(table, request, skip)) {
    if (matches.length >= left) return matches[left - 1]?.sortKey;
    left -= matches.length;
  }
  return undefined;
}
