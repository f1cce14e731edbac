import type { MemberPlan } from '../../domain/members/filters.ts';
import type { Table } from '../table/table.ts';
import { type Chunk, type MemberRow, readChunk } from './read.ts';
import type { MemberRecord } from './row.ts';

export interface MemberPage {
  readonly members: readonly MemberRecord[];
  /** The sort key after which the next page begins; undefined if there is none. */
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly after: string | undefined;
  readonly limit: number;
  /** A request by cursor reads at most this many rows and returns those that match; the cursor continues from there. */
  readonly maxRowsRead?: number;
}

/** Returns the page after a sort key. If the index applies every filter, one row more is read than is returned. */
export async function readPage(table: Table, request: PageRequest): Promise<MemberPage> {
  const { plan, limit, maxRowsRead = Number.POSITIVE_INFINITY } = request;
  const found: MemberRow[] = [];
  let { after } = request;
  let rowsRead = 0;
  for (let size = limit + 1; ; size = Math.min(size * 2, maxChunkSize)) {
    const chunk: Chunk = await readChunk(table, { ...request, after, limit: size });
    found.push(...chunk.rows.filter(({ member }) => plan.otherFilters.every((passes) => passes(member))));
    rowsRead += chunk.rows.length;
    if (found.length > limit) return pageOf(found.slice(0, limit), found[limit - 1]?.sortKey);
    if (chunk.isLast) return pageOf(found, undefined);
    after = chunk.rows.at(-1)?.sortKey ?? after;
    if (rowsRead >= maxRowsRead) return pageOf(found, after);
  }
}

const maxChunkSize = 500;

/** How many rows are read to find out whether a plan has few members. */
const defaultMaxRows = 5_000;

/** Returns every member of a plan if it has few rows to read; undefined if it has more. */
export async function readMembersIfFew(
  table: Table,
  orgId: string,
  plan: MemberPlan,
  maxRows = defaultMaxRows,
): Promise<readonly MemberRecord[] | undefined> {
  const { members, next } = await readPage(table, {
    orgId,
    plan,
    after: undefined,
    limit: maxRows,
    maxRowsRead: maxRows,
  });
  return next === undefined ? members : undefined;
}

function pageOf(rows: readonly MemberRow[], next: string | undefined): MemberPage {
  return { members: rows.map(({ member }) => member), next };
}

/** Small, because two chunks are in memory at a time, as rows and as text, and larger ones make the heap grow. */
const exportChunkSize = 250;

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
    // Prevents an unhandled rejection: the error is thrown when this chunk is awaited.
    next?.catch(() => undefined);
    yield chunk.rows
      .filter(({ member }) => plan.otherFilters.every((passes) => passes(member)))
      .map(({ member }) => member);
  }
}
