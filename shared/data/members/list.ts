import type { MemberPlan } from '../../domain/members/filters.ts';
import type { Table } from '../table/table.ts';
import { type Chunk, type MemberRow, readChunk } from './read.ts';
import type { MemberRecord } from './row.ts';

export interface MemberPage {
  readonly members: readonly MemberRecord[];
  /** Where the next page begins; undefined when there is none. */
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly after: string | undefined;
  readonly limit: number;
  /** A request by cursor reads this many rows and then answers with what it has; the cursor goes on from there. */
  readonly maxRowsRead?: number;
}

/** A page after a place. Where the index answers every filter, the rows read are the rows returned and one more. */
export async function readPage(table: Table, request: PageRequest): Promise<MemberPage> {
  const { plan, limit, maxRowsRead = Number.POSITIVE_INFINITY } = request;
  const found: MemberRow[] = [];
  let { after } = request;
  let rowsRead = 0;
  for (let size = limit + 1; ; size = Math.min(size * 2, largestChunk)) {
    const chunk: Chunk = await readChunk(table, { ...request, after, limit: size });
    found.push(...chunk.rows.filter(({ member }) => plan.rest.every((passes) => passes(member))));
    rowsRead += chunk.rows.length;
    if (found.length > limit) return pageOf(found.slice(0, limit), found[limit - 1]?.sortKey);
    if (chunk.ended) return pageOf(found, undefined);
    after = chunk.rows.at(-1)?.sortKey ?? after;
    if (rowsRead >= maxRowsRead) return pageOf(found, after);
  }
}

const largestChunk = 500;

/** So many rows are read to see how many members a plan has. */
const maxFew = 5_000;

/** Every member of a plan that has only few rows to read; undefined when it has more. */
export async function fewMembers(
  table: Table,
  orgId: string,
  plan: MemberPlan,
  most = maxFew,
): Promise<readonly MemberRecord[] | undefined> {
  const { members, next } = await readPage(table, { orgId, plan, after: undefined, limit: most, maxRowsRead: most });
  return next === undefined ? members : undefined;
}

function pageOf(rows: readonly MemberRow[], next: string | undefined): MemberPage {
  return { members: rows.map(({ member }) => member), next };
}

/** Two chunks are in memory at a time, as rows and as text, and a heap that meets large ones grows before it is collected. */
const exportedChunk = 250;

/** Every member of the plan, a chunk at a time. The next chunk is under way while this one is used. */
export async function* everyMember(
  table: Table,
  orgId: string,
  plan: MemberPlan,
): AsyncGenerator<readonly MemberRecord[]> {
  let next: Promise<Chunk> | undefined = readChunk(table, { orgId, plan, after: undefined, limit: exportedChunk });
  while (next !== undefined) {
    const chunk: Chunk = await next;
    const after = chunk.rows.at(-1)?.sortKey;
    next = chunk.ended ? undefined : readChunk(table, { orgId, plan, after, limit: exportedChunk });
    // Nobody waits for it yet; its failure is thrown when its turn comes.
    next?.catch(() => undefined);
    yield chunk.rows.filter(({ member }) => plan.rest.every((passes) => passes(member))).map(({ member }) => member);
  }
}
