import type { MemberPlan } from '../../domain/members/filters.ts';
import type { Table } from '../table/table.ts';
import { readFilteredPage } from './list-filtered.ts';
import { type Chunk, type MemberPage, type MemberRow, readChunk } from './read.ts';
import type { MemberRecord } from './row.ts';

export interface PageRequest {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Returns the page after a sort key: `limit` members, fewer only at the end of the list. If the index applies every filter,
 * one Query reads the members of the page and one more. Otherwise one Query reads some members from the index; if these do
 * not fill the page, the following ones are found by the keys of their positions.
 */
export async function readPage(table: Table, request: PageRequest): Promise<MemberPage> {
  const { plan, limit } = request;
  const appliesAllFilters = plan.otherFilters.length === 0;
  const found: MemberRow[] = [];
  let { after } = request;
  do {
    const chunk: Chunk = await readChunk(table, {
      ...request,
      after,
      limit: appliesAllFilters ? limit + 1 : sampleSize(limit),
    });
    found.push(...matchingRows(chunk, plan));
    if (found.length > limit) return pageOf(found.slice(0, limit), found[limit - 1]?.sortKey);
    if (chunk.isLast) return pageOf(found, undefined);
    after = chunk.rows.at(-1)?.sortKey ?? after;
  } while (appliesAllFilters);
  return readFilteredPage(table, { ...request, after, found, skip: 0 });
}

/**
 * Four pages of the index fill a page that a third of the members match: 6 read units and one Query for 20 members, where finding
 * them by keys takes 8 to 15 units and a dozen Queries. 200 members are 15 units, the most that is read for nothing if few match.
 */
const sampleSize = (limit: number): number => Math.max(limit + 1, Math.min(4 * limit, 200));

function matchingRows(chunk: Chunk, { otherFilters }: MemberPlan): MemberRow[] {
  return chunk.rows.filter(({ member }) => otherFilters.every((passes) => passes(member)));
}

/** How many rows are read to find out whether a plan has few members. */
const defaultMaxRows = 5_000;

/** Returns all members of a plan if its index range has only few rows; undefined if it has more. */
export async function readMembersIfFew(
  table: Table,
  orgId: string,
  plan: MemberPlan,
  maxRows = defaultMaxRows,
): Promise<readonly MemberRecord[] | undefined> {
  const found: MemberRow[] = [];
  let after: string | undefined;
  for (let left = maxRows; left >= 0; ) {
    const chunk: Chunk = await readChunk(table, { orgId, plan, after, limit: left + 1 });
    found.push(...matchingRows(chunk, plan));
    left -= chunk.rows.length;
    if (chunk.isLast) return left < 0 ? undefined : found.map(({ member }) => member);
    after = chunk.rows.at(-1)?.sortKey ?? after;
  }
  return undefined;
}

function pageOf(rows: readonly MemberRow[], next: string | undefined): MemberPage {
  return { members: rows.map(({ member }) => member), next };
}

/** Small, because two chunks are in memory at a time, as rows and as text. The text of a larger one is a large object, which V8 collects late. */
const exportChunkSize = 100;

/** Yields every member of the plan, chunk by chunk. The next chunk is read while the current one is used. */
export async function* everyMember(
  table: Table,
  orgId: string,
  plan: MemberPlan,
): AsyncGenerator<readonly MemberRecord[]> {
  let next: Promise<Chunk> | undefined = readChunk(table, { orgId, plan, after: undefined, limit: exportChunkSize });
  while (next !== undefined) {
    const chunk: Chunk = await next;
    const after = chunk.rows.at(-1)?.sortKey;
    next = chunk.isLast ? undefined : readChunk(table, { orgId, plan, after, limit: exportChunkSize });
    // Prevents an unhandled rejection: the error is thrown when the loop awaits this chunk.
    next?.catch(() => undefined);
    yield matchingRows(chunk, plan).map(({ member }) => member);
  }
}
