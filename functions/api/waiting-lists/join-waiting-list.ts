import { readBasketKey } from '../../../shared/data/auth/valid-storefront-tokens.ts';
import { entryTokenOf } from '../../../shared/http/auth/entry-token.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/authenticate-fan.ts';
import { parseEventId } from '../../../shared/http/handlers/event-from-path.ts';
import { joinList } from '../../../shared/http/handlers/join-list.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { waitingEntryResource, waitingListEvent } from '../../../shared/mappers/waiting-entry.ts';
import { joinWaitingList } from '../../../shared/operations/waiting-lists/join-waiting-list.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof joinWaitingList> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt, ssoToken } = deps;
  const { orgId, storefront } = caller;
  const eventId = parseEventId(params.event_id);
  const fan = ssoToken === undefined ? undefined : await authenticateSsoUser(deps);
  const joining = { eventId, body, userId: fan?.link?.userId ?? null };
  const { entry, isRepeated } = await joinList(deps, joining, (joined) => [
    ...outboxItems(table, orgId, waitingListEvent('waiting_list.joined', joined), { nowMs: clock.nowMs(), requestId }),
    ...receipt({ ...waitingEntryResource(joined), entry_token: null }),
  ]);
  // Whoever types somebody's address must not be able to take that person off the list.
  const isHidden = isRepeated && storefront !== undefined;
  const key = isHidden ? undefined : (storefront?.basketKey ?? (await readBasketKey(table, orgId, unixSeconds(clock))));
  const entry_token = key === undefined ? null : entryTokenOf(key, orgId, entry.entryId);
  return { ...waitingEntryResource(entry), entry_token };
};

export const handler = pipeline(joinWaitingList, handle);
