import type { WaitingEntry } from '../../../shared/domain/waiting-list/entry.ts';
import { isEntryToken } from '../../../shared/http/auth/entry-token.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { waitingProblem } from '../../../shared/http/handlers/problems/waiting-list-problems.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { waitingEntryResource } from '../../../shared/mappers/waiting-entry.ts';
import { leaveWaitingList } from '../../../shared/operations/waiting-lists/leave-waiting-list.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { leaveList } from '../../../shared/sales/waiting-list/leave-list.ts';

export const handle: Handle<typeof leaveWaitingList> = async ({ params, query }, deps) => {
  const { caller, ssoToken, table, clock, requestId } = deps;
  const { orgId, storefront } = caller;
  const ref = { eventId: parseEventId(params.event_id), entryId: params.entry_id };
  const signedIn = ssoToken === undefined ? undefined : await authenticateSsoUser(deps);
  const isAllowed = ({ userId }: WaitingEntry): boolean =>
    storefront === undefined ||
    isEntryToken(query.entry_token, storefront.basketKey, orgId, ref.entryId) ||
    (userId !== null && userId === signedIn?.link?.userId);
  const left = await leaveList({ table, orgId, clock, requestId, payments: livePayments(table) }, ref, isAllowed);
  if (left.outcome === 'refused') throw waitingProblem(left.refusal, unixSeconds(clock));
  return waitingEntryResource(left.entry);
};

export const handler = pipeline(leaveWaitingList, handle);
