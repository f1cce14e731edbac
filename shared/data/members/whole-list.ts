import { Readable } from 'node:stream';
import { type MemberFilters, planMembers } from '../../domain/members/filters.ts';
import type { SearchQuery } from '../../domain/search/query.ts';
import type { Table } from '../table/table.ts';
import { approximateMemberCount } from './count.ts';
import { everyMember, readMembersIfFew } from './list.ts';
import type { MemberRecord } from './row.ts';
import { readFoundIfFew, searchTest } from './search.ts';

interface Wanted {
  readonly filters: MemberFilters;
  readonly search: SearchQuery | undefined;
  /** How many members the caller can take in. */
  readonly maxMembers: number;
}

export type WholeList =
  | { readonly outcome: 'listed'; readonly chunks: AsyncIterable<readonly MemberRecord[]> }
  /** So many members the organisation has, approximately. */
  | { readonly outcome: 'too_many'; readonly count: number };

/**
 * Reads every member that matches the filters, a chunk at a time. The size is checked before the first chunk, because a list
 * that is cut off would be useless. The count is that of all members; filters may match only a few.
 */
export async function readWholeList(
  table: Table,
  orgId: string,
  { filters, search, maxMembers }: Wanted,
): Promise<WholeList> {
  const plan = planMembers(filters);
  const found = search && (await readFoundIfFew(table, { orgId, plan, search }));
  if (found !== undefined) return { outcome: 'listed', chunks: Readable.from([found]) };
  const matches = search === undefined ? () => true : searchTest({ plan, search });
  const count = await approximateMemberCount(table, orgId);
  if (count <= maxMembers) return { outcome: 'listed', chunks: matching(everyMember(table, orgId, plan), matches) };
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  const few = isNarrowed ? await readMembersIfFew(table, orgId, plan) : undefined;
  if (few !== undefined) return { outcome: 'listed', chunks: Readable.from([few.filter(matches)]) };
  return { outcome: 'too_many', count };
}

async function* matching(
  chunks: AsyncIterable<readonly MemberRecord[]>,
  matches: (member: MemberRecord) => boolean,
): AsyncGenerator<readonly MemberRecord[]> {
  for await (const chunk of chunks) yield chunk.filter(matches);
}
