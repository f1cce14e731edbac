import { type MemberPlan, planMembers } from '../../domain/members/filters.ts';
import { locatePosition } from '../positions/locate.ts';
import type { Table } from '../table/table.ts';
import { type MemberPage, type PageRequest, readPage } from './list.ts';
import { readFilteredPage } from './list-filtered.ts';
import { memberList } from './positions.ts';
import { type Chunk, readChunk } from './read.ts';

interface NumberedPage extends Omit<PageRequest, 'after'> {
  readonly page: number;
}

/**
 * Returns the page that begins after (page − 1) × limit members of the list as it is now. Nothing is remembered between
 * requests. If an index answers every filter, a position tree locates the page. Otherwise the members before it are counted in
 * the filter rows.
 */
export async function readNumberedPage(table: Table, request: NumberedPage): Promise<MemberPage> {
  const { page, limit } = request;
  const skip = (page - 1) * limit;
  if (skip === 0) return readPage(table, { ...request, after: undefined });
  if (request.plan.otherFilters.length > 0) {
    return readFilteredPage(table, { ...request, after: undefined, found: [], skip });
  }
  const after = await lastSkipped(table, request, skip);
  return after === undefined ? { members: [], next: undefined } : readPage(table, { ...request, after });
}

/** Up to this many members cost no more in the index than their position in the tree. */
const fewSkipped = 50;

/** Returns the sort key of the last skipped member; undefined if the list ends before the page. */
async function lastSkipped(table: Table, request: NumberedPage, skip: number): Promise<string | undefined> {
  if (skip <= fewSkipped) return skipInIndex(table, request, skip);
  const { orgId, plan } = request;
  const list = { orgId, resource: 'members', list: memberList(plan.index, plan.value), descending: false } as const;
  const located = await locatePosition(table, { ...list, ...boundsOf(plan) }, skip);
  if (located === 'past the end') return undefined;
  return located.after ?? skipInIndex(table, request, skip);
}

/** The whole list, in the order of updates or of ids. */
const [everyUpdate, everyId] = [planMembers({ updatedSince: -1 }), planMembers({})];

/** The bounds of the list. A bound that excludes nothing is left out, because a bound costs reads. */
function boundsOf({ index, from, to }: MemberPlan) {
  const whole = index === 'updated' ? everyUpdate : everyId;
  return { ...(from !== whole.from && { from }), ...(to !== whole.to && { to }) };
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
