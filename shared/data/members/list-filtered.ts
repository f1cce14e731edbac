import { type MemberPlan, memberSortKey } from '../../domain/members/filters.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { MemberPage } from './list.ts';
import type { MemberRow } from './read.ts';
import { matchesInOrder } from './read-filter-rows.ts';
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

/**
 * Reads a page with the filter rows: they show which members match, and then only the members of the page are read. A member
 * that has changed since its filter row was read is compared again.
 */
export async function readFilteredPage(table: Table, page: FilteredPage): Promise<MemberPage> {
  const { orgId, plan, limit } = page;
  const found = [...page.found];
  let { skip } = page;
  for await (const sortKeys of matchesInOrder(table, page)) {
    let left = sortKeys.slice(skip);
    skip = Math.max(0, skip - sortKeys.length);
    while (left.length > 0 && found.length <= limit) {
      const missing = limit + 1 - found.length;
      found.push(...(await confirm(table, orgId, plan, left.slice(0, missing))));
      left = left.slice(missing);
    }
    if (found.length > limit) break;
  }
  const rows = found.slice(0, limit);
  return { members: rows.map(({ member }) => member), next: found.length > limit ? rows.at(-1)?.sortKey : undefined };
}

/**
 * Returns those of the members that match now, at the positions at which they were found. An eventually consistent read may
 * miss the latest change, so a member that seems not to match is read again, consistently, before it is left out.
 */
async function confirm(
  table: Table,
  orgId: string,
  plan: MemberPlan,
  sortKeys: readonly string[],
): Promise<MemberRow[]> {
  const members = new Map<string, MemberRecord>();
  const read = async (ids: readonly string[], consistent: boolean): Promise<void> => {
    const keys = ids.map((id) => memberKey(orgId, Number(id)));
    for (const member of (await batchGet(table, keys, { consistent })).map(parseMember)) {
      if (plan.matches(member)) members.set(memberSortKey({ index: 'all' }, member), member);
    }
  };
  const ids = sortKeys.map(idOf);
  await read(ids, false);
  await read(
    ids.filter((id) => !members.has(id)),
    true,
  );
  return sortKeys.flatMap((sortKey) => {
    const member = members.get(idOf(sortKey));
    return member === undefined ? [] : [{ member, sortKey }];
  });
}

const idDigits = 16;
const idOf = (sortKey: string): string => sortKey.slice(-idDigits);
