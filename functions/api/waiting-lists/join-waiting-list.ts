import { readBasketKey } from '../../../shared/data/auth/valid-storefront-tokens.ts';
import type { WaitingEntry } from '../../../shared/domain/waiting-list/entry.ts';
import { entryTokenOf } from '../../../shared/http/auth/entry-token.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/authenticate-fan.ts';
import { parseEventId } from '../../../shared/http/handlers/event-from-path.ts';
import { joinList, requestToJoin } from '../../../shared/http/handlers/join-list.ts';
import { isOwnAddress } from '../../../shared/http/handlers/own-address.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { requestedEntry, waitingEntryResource, waitingListEvent } from '../../../shared/mappers/waiting-entry.ts';
import { joinWaitingList } from '../../../shared/operations/waiting-lists/join-waiting-list.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof joinWaitingList> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt, ssoToken } = deps;
  const { orgId, storefront } = caller;
  const eventId = parseEventId(params.event_id);
  const fan = ssoToken === undefined ? undefined : await authenticateSsoUser(deps);
  const joining = { eventId, body, userId: fan?.link?.userId ?? null };
  const announcement = (entry: WaitingEntry) =>
    outboxItems(table, orgId, waitingListEvent('waiting_list.joined', entry), { nowMs: clock.nowMs(), requestId });
  const isProved =
    storefront === undefined || (fan !== undefined && (await isOwnAddress(deps, fan, body.email.trim())));
  if (!isProved) {
    const sent = { eventId, priceId: Number(body.price_id), email: body.email.trim() };
    const entryId = await requestToJoin(deps, joining, (asked, isAnnounced) => [
      ...(isAnnounced ? announcement(asked) : []),
      ...receipt(requestedEntry(asked.entryId, sent)),
    ]);
    return requestedEntry(entryId, sent);
  }
  const entry = await joinList(deps, joining, (joined) => [
    ...announcement(joined),
    ...receipt({ ...waitingEntryResource(joined), entry_token: null }),
  ]);
  const key = storefront?.basketKey ?? (await readBasketKey(table, orgId, unixSeconds(clock)));
  return { ...waitingEntryResource(entry), entry_token: key ? entryTokenOf(key, orgId, entry.entryId) : null };
};

export const handler = pipeline(joinWaitingList, handle);
