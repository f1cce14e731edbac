import type { MemberPlan } from '../../domain/members/filters.ts';
import type { SearchQuery } from '../../domain/search/query.ts';
import type { Table } from '../table/table.ts';
import { readPage } from './list.ts';
import { readNumberedPage } from './list-by-page.ts';
import type { MemberPage } from './read.ts';
import { readSearchedPage } from './search.ts';

interface MembersPage {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly search: SearchQuery | undefined;
  readonly limit: number;
  /** The page with this number; without it, the one after a sort key. */
  readonly number: number | undefined;
  readonly after: string | undefined;
}

export function readMembersPage(table: Table, { search, number, ...request }: MembersPage): Promise<MemberPage> {
  if (search !== undefined) return readSearchedPage(table, { ...request, search, page: number ?? 1 });
  return number === undefined ? readPage(table, request) : readNumberedPage(table, { ...request, page: number });
}
