import { readRequests } from '../../../shared/data/requests/request-log.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { loggedRequest } from '../../../shared/mappers/logged-request.ts';
import { listRequests } from '../../../shared/operations/requests/list-requests.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listRequests> = async ({ query }, { caller, table, clock, baseUrl }) => {
  const { orgId } = caller;
  const { limit, cursor, ...parameters } = query;
  const { unix_start, unix_end, operation_id, status, key_id } = parameters;
  const signedList = { key: await cursorKey(), list: { orgId, operation: listRequests.id, parameters } };
  const page = await readRequests(table, orgId, {
    after: verifyListCursor(signedList, cursor),
    limit,
    sinceMs: unix_start === undefined ? 0 : (unix_start + 1) * 1000,
    untilMs: unix_end === undefined ? Number.MAX_SAFE_INTEGER : unix_end * 1000,
    nowMs: clock.nowMs(),
    operationId: operation_id,
    status,
    keyId: key_id,
  });
  return {
    object: 'requests' as const,
    url: `${baseUrl}${listRequests.paths[0]}`,
    has_more: page.next !== undefined,
    next_cursor: signListCursor(signedList, page.next),
    data: page.requests.map(loggedRequest),
  };
};

export const handler = pipeline(listRequests, handle);
