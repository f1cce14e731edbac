import { idRange } from '../../domain/ids.ts';
import type { MemberPlan } from '../../domain/members/filters.ts';
import { locatePosition } from '../positions/locate.ts';
import type { Table } from '../table/table.ts';
import { approximateMemberCount } from './count.ts';
import { type MemberPage, type PageRequest, readPage } from './list.ts';
import { readFilteredPage } from './list-filtered.ts';
import { allMembersList } from './positions.ts';
import { type Chunk, readChunk } from './read.ts';
import { type FilterQuery, matchesInOrder, sampleMatches } from './read-filter-rows.ts';

interface NumberedPage extends Omit<PageRequest, 'after'> {
  readonly page: number;
}

/**
 * Returns the page that begins after (page − 1) × limit members of the list as it is now. Nothing is remembered between
 * requests. Without a filter, or with times of creation only, the position tree locates the page. Otherwise the members before
 * it are counted in the filter rows, or in the index where that is cheaper.
 */
export async function readNumberedPage(table: Table, request: NumberedPage): Promise<MemberPage> {
  const { page, limit } = request;
  const skip = (page - 1) * limit;
  if (skip === 0) return readPage(table, { ...request, after: undefined });
  if (request.plan.otherFilters.length > 0) {
    return readFilteredPage(table, { ...request, after: undefined, found: [], skip });
  }
  // Here the index has exactly the members of the list, so its Query reads the page for less than reads by key.
  const after = await lastSkipped(table, request, skip);
  return after === undefined ? { members: [], next: undefined } : readPage(table, { ...request, after });
}

/** Returns the sort key of the last skipped member; undefined if the list ends before the page. */
async function lastSkipped(table: Table, request: NumberedPage, skip: number): Promise<string | undefined> {
  const { orgId, plan } = request;
  if (plan.index === 'all') {
    const list = { orgId, resource: 'members', list: allMembersList, descending: false, ...rangeOf(plan) } as const;
    const located = await locatePosition(table, list, skip);
    if (located === 'past the end') return undefined;
    if (located.after !== undefined) return located.after;
  }
  return (await isCheaperByIndex(table, request, skip))
    ? skipInIndex(table, request, skip)
    : skipInFilterRows(table, { ...request, after: undefined, skip });
}

const everyId = idRange(undefined, undefined);

/** The bounds of the times of creation. A bound that excludes nothing is left out, because a bound costs reads. */
function rangeOf({ from, to }: MemberPlan) {
  return { ...(from !== everyId.from && { from }), ...(to !== everyId.to && { to }) };
}

/** A member of about 700 bytes costs as much as this many filter rows. */
const filterRowsPerMember = 10;
/** Up to this many members are skipped in the index without a sample of the filter rows: they cost at most 9 read units. */
const fewSkipped = 100;

/**
 * The index has only the members that match, but each costs as much as ten filter rows. It is cheaper for the first part of
 * the order of updates, because that order needs all filter rows, and for a filter that less than a tenth of all members match.
 */
async function isCheaperByIndex(table: Table, { orgId, plan }: NumberedPage, skip: number): Promise<boolean> {
  if (plan.index === 'all') return false;
  if (skip <= fewSkipped) return true;
  if (skip * filterRowsPerMember > (await approximateMemberCount(table, orgId))) return false;
  if (plan.index === 'updated') return true;
  const { rows, matches } = await sampleMatches(table, orgId, plan);
  return matches * filterRowsPerMember < rows;
}

/** Returns the sort key of the last skipped member; undefined if the list ends before the page. */
async function skipInFilterRows(table: Table, query: FilterQuery): Promise<string | undefined> {
  let left = query.skip;
  for await (const sortKeys of matchesInOrder(table, query)) {
    if (sortKeys.length >= left) return sortKeys[left - 1];
    left -= sortKeys.length;
  }
  return undefined;
}

/** A larger chunk needs more memory and saves no read unit. */
const maxChunkSize = 1_000;

/** Returns the sort key of the last skipped member; undefined if the list ends before the page. */
async function skipInIndex(table: Table, request: NumberedPage, skip: number): Promise<string | undefined> {
  let after: string | undefined;
  for (let left = skip; left > 0; ) {
    const chunk: Chunk = await readChunk(table, { ...request, after, limit: Math.min(left, maxChunkSize) });
    left -= chunk.rows.length;
    after = chunk.rows.at(-1)?.sortKey ?? after;
    if (chunk.isLast && left > 0) return undefined;
  }
  return after;
}
