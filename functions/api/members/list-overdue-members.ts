import { readOverduePlans } from '../../../shared/data/plans/overdue.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { overduePlanResource } from '../../../shared/mappers/payment-plan.ts';
import { listOverdueMembers } from '../../../shared/operations/members/list-overdue-members.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listOverdueMembers> = async ({ query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const identity = { orgId, operation: listOverdueMembers.id, parameters: {} };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, query.cursor);
  const { plans, next } = await readOverduePlans(table, { orgId, after, limit: query.limit });
  return {
    object: 'overdue_members',
    url: `${baseUrl}${listOverdueMembers.paths[0]}`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: plans.map(overduePlanResource),
  };
};

export const handler = pipeline(listOverdueMembers, handle);
