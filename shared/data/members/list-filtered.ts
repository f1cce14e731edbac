import type { MemberPlan } from '../../domain/members/filters.ts';
import { confirmMatches, type FoundRows } from '../lists/found-rows.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { matchingPositions } from './positions.ts';
import type { MemberPage, MemberRow } from './read.ts';
import { type MemberRecord, parseMember } from './row.ts';

export interface FilteredPage {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly after: string | undefined;
  readonly limit: number;
  /** The members of the page that are already known; those after `after` follow them. */
  readonly found: readonly MemberRow[];
  /** How many further matching members come before the page. */
  readonly skip: number;
}

/** Reads a page whose members are found by the keys of their positions. Only the members of the page are read. */
export async function readFilteredPage(table: Table, page: FilteredPage): Promise<MemberPage> {
  const { orgId, plan, limit, found, skip } = page;
  const rows: FoundRows<MemberRecord, { readonly id: number }> = {
    idOf: ({ memberId }) => memberId,
    matchesFilter: plan.matches,
    readRows: async (members, consistent) => {
      const keys = members.map(({ id }) => memberKey(orgId, id));
      return (await batchGet(table, keys, { consistent })).map(parseMember);
    },
  };
  // One member more says whether another page follows.
  const count = limit + 1 - found.length;
  const positions = matchingPositions(table, page, skip + count);
  const confirmed = await confirmMatches(rows, positions, { offset: skip, count });
  const all = [...found, ...confirmed.map(({ found: { sortKey }, row }) => ({ member: row, sortKey }))];
  const shown = all.slice(0, limit);
  return { members: shown.map(({ member }) => member), next: all.length > limit ? shown.at(-1)?.sortKey : undefined };
}
