import { Readable } from 'node:stream';
import { approximateMemberCount } from '../../../data/members/count.ts';
import { everyMember, readMembersIfFew } from '../../../data/members/list.ts';
import type { MemberRecord } from '../../../data/members/row.ts';
import { readFoundIfFew, searchTest } from '../../../data/members/search.ts';
import type { Table } from '../../../data/table/table.ts';
import { type MemberFilters, planMembers } from '../../../domain/members/filters.ts';
import type { SearchQuery } from '../../../domain/search/query.ts';
import { problem } from '../../problem.ts';

/** The approximate size of a member in a response, and the share of it that remains after compression. */
const bytesPerMember = 1_100;
const compressedShare = 0.2;
const maxResponseBytes = 200 * 1024 * 1024;

interface WholeList {
  readonly filters: MemberFilters;
  readonly search: SearchQuery | undefined;
  readonly compressed: boolean;
}

/**
 * Reads every member that matches the filters, a chunk at a time. The size is checked before the first byte is sent, because
 * a list that is cut off at Lambda's limit would be useless. The count is that of all members; filters may match only a few.
 */
export async function readAllMembers(
  table: Table,
  orgId: string,
  { filters, search, compressed }: WholeList,
): Promise<AsyncIterable<readonly MemberRecord[]>> {
  const plan = planMembers(filters);
  const found = search && (await readFoundIfFew(table, { orgId, plan, search }));
  if (found !== undefined) return Readable.from([found]);
  const matches = search === undefined ? () => true : searchTest({ plan, search });
  const count = await approximateMemberCount(table, orgId);
  if (count * bytesPerMember * (compressed ? compressedShare : 1) <= maxResponseBytes)
    return matching(everyMember(table, orgId, plan), matches);
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  const few = isNarrowed ? await readMembersIfFew(table, orgId, plan) : undefined;
  if (few !== undefined) return Readable.from([few.filter(matches)]);
  const message = `About ${count} members do not fit in one response. Send limit, and cursor for each further page.`;
  throw problem('too_many_members', message, { param: 'limit' });
}

async function* matching(
  chunks: AsyncIterable<readonly MemberRecord[]>,
  matches: (member: MemberRecord) => boolean,
): AsyncGenerator<readonly MemberRecord[]> {
  for await (const chunk of chunks) yield chunk.filter(matches);
}
