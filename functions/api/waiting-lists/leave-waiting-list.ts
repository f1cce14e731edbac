import type { WaitingEntry } from '../../../shared/domain/waiting-list/entry.ts';
import { isEntryToken } from '../../../shared/http/auth/entry-token.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/authenticate-fan.ts';
import { parseEventId } from '../../../shared/http/handlers/event-from-path.ts';
import { leaveList } from '../../../shared/http/handlers/leave-list.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { waitingEntryResource } from '../../../shared/mappers/waiting-entry.ts';
import { leaveWaitingList } from '../../../shared/operations/waiting-lists/leave-waiting-list.ts';
import { livePayments } from '../../../shared/payments/live.ts';

export const handle: Handle<typeof leaveWaitingList> = async ({ params, query }, deps) => {
  const { caller, ssoToken, table } = deps;
  const { orgId, storefront } = caller;
  const ref = { eventId: parseEventId(params.event_id), entryId: params.entry_id };
  const signedIn = ssoToken === undefined ? undefined : await authenticateSsoUser(deps);
  const isAllowed = ({ userId }: WaitingEntry): boolean =>
    storefront === undefined ||
    isEntryToken(query.entry_token, storefront.basketKey, orgId, ref.entryId) ||
    (userId !== null && userId === signedIn?.link?.userId);
  const entry = await leaveList({ ...deps, payments: livePayments(table) }, ref, isAllowed);
  return waitingEntryResource(entry);
};

export const handler = pipeline(leaveWaitingList, handle);
