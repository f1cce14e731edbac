import { type ListIdentity, nearestPagePosition, rememberPage } from '../lists/page-positions.ts';
import type { Table } from '../table/table.ts';
import { type MemberPage, type PageRequest, readPage } from './list.ts';

interface NumberedPage extends Omit<PageRequest, 'after'> {
  readonly list: ListIdentity;
  readonly page: number;
  readonly nowUnix: number;
}

/**
 * Returns page k of a list. When pages are read one after the other, each begins where the one before it ended. A jump to
 * another page starts from the nearest remembered page.
 */
export async function readNumberedPage(table: Table, request: NumberedPage): Promise<MemberPage> {
  const { list, page, limit, nowUnix } = request;
  const known = await nearestPagePosition(table, list, page, nowUnix);
  const after = await skip(table, { ...request, after: known.after }, (page - known.page) * limit);
  if (after === 'end') return { members: [], next: undefined };
  const found = await readPage(table, { ...request, after });
  if (found.next !== undefined) await rememberPage(table, list, { page: page + 1, after: found.next }, nowUnix);
  return found;
}

/** How many rows are in memory at a time while pages are skipped. */
const maxRowsPerSkip = 1_000;

async function skip(table: Table, request: PageRequest, count: number): Promise<string | undefined | 'end'> {
  let { after } = request;
  for (let left = count; left > 0; left -= maxRowsPerSkip) {
    const { next } = await readPage(table, { ...request, after, limit: Math.min(left, maxRowsPerSkip) });
    if (next === undefined) return 'end';
    after = next;
  }
  return after;
}
