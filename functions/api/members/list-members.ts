import { readMembersPage } from '../../../shared/data/members/list-page.ts';
import { readWholeList } from '../../../shared/data/members/whole-list.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { parseSearch } from '../../../shared/domain/search/query.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { parsePaging } from '../../../shared/http/handlers/input/paging.ts';
import { maxMembersOf, tooManyMembers } from '../../../shared/http/handlers/input/whole-list.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { StreamedOutput, serializeList } from '../../../shared/http/streamed-output.ts';
import { memberFilters, memberResource, memberResources } from '../../../shared/mappers/member.ts';
import { listMembers } from '../../../shared/operations/members/list-members.ts';
import { Member } from '../../../shared/operations/schemas/member.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listMembers> = async ({ query }, { caller, table, baseUrl, acceptsGzip }) => {
  const { orgId } = caller;
  const paging = parsePaging(query);
  const filters = memberFilters(query);
  const plan = planMembers(filters);
  const search = parseSearch(query.search ?? '');
  const envelope = { object: 'members' as const, url: `${baseUrl}${listMembers.paths[0]}` };

  if (paging.kind === 'all') {
    const whole = { ...envelope, has_more: false, next_cursor: null };
    const maxMembers = maxMembersOf({ compressed: acceptsGzip });
    const list = await readWholeList(table, orgId, { filters, search, maxMembers });
    if (list.outcome === 'too_many') throw tooManyMembers(list.count);
    return new StreamedOutput(serializeList({ envelope: whole, item: Member, chunks: memberResources(list.chunks) }));
  }

  const { limit } = paging;
  const identity = { orgId, operation: listMembers.id, parameters: { ...filters, search: search && query.search } };
  const signedList = { key: await cursorKey(), list: identity };
  const number = paging.kind === 'page' ? paging.page : undefined;
  const after = paging.kind === 'page' ? undefined : verifyListCursor(signedList, paging.cursor);
  const page = await readMembersPage(table, { orgId, plan, search, limit, after, number });
  return {
    ...envelope,
    has_more: page.next !== undefined,
    next_cursor: signListCursor(signedList, page.next),
    data: page.members.map(memberResource),
  };
};

export const handler = pipeline(listMembers, handle);
