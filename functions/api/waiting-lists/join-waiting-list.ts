import { readBasketKey } from '../../../shared/data/auth/valid-storefront-tokens.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import type { WaitingEntry } from '../../../shared/domain/waiting-list/entry.ts';
import { entryTokenOf } from '../../../shared/http/auth/entry-token.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { isOwnAddress } from '../../../shared/http/handlers/callers/own-address.ts';
import { saleContext } from '../../../shared/http/handlers/callers/sale-context.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { waitingProblem } from '../../../shared/http/handlers/problems/waiting-list-problems.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { requestedEntry, waitingEntryResource, waitingListEvent } from '../../../shared/mappers/waiting-entry.ts';
import { joinWaitingList } from '../../../shared/operations/waiting-lists/join-waiting-list.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { joinList, requestToJoin } from '../../../shared/sales/waiting-list/join-list.ts';

export const handle: Handle<typeof joinWaitingList> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt, ssoToken } = deps;
  const { orgId, storefront } = caller;
  const eventId = parseEventId(params.event_id);
  const fan = ssoToken === undefined ? undefined : await authenticateSsoUser(deps);
  const emailAddress = body.email.trim();
  const wish = { quantity: body.quantity, acceptLess: body.accept_less };
  const priceId = parseId(String(body.price_id));
  const joining = { ...wish, eventId, priceId, emailAddress, userId: fan?.link?.userId ?? null };
  const announcement = (entry: WaitingEntry) =>
    outboxItems(table, orgId, waitingListEvent('waiting_list.joined', entry), { nowMs: clock.nowMs(), requestId });
  const isProved = storefront === undefined || (fan !== undefined && (await isOwnAddress(deps, fan, emailAddress)));
  if (!isProved) {
    const sent = { eventId, priceId: Number(body.price_id), email: emailAddress };
    const requested = await requestToJoin(saleContext(deps), joining, (asked, isAnnounced) => [
      ...(isAnnounced ? announcement(asked) : []),
      ...receipt(requestedEntry(asked.entryId, sent)),
    ]);
    if (requested.outcome === 'refused') throw waitingProblem(requested.refusal, unixSeconds(clock));
    return requestedEntry(requested.entryId, sent);
  }
  const joined = await joinList(saleContext(deps), joining, (entry) => [
    ...announcement(entry),
    ...receipt({ ...waitingEntryResource(entry), entry_token: null }),
  ]);
  if (joined.outcome === 'refused') throw waitingProblem(joined.refusal, unixSeconds(clock));
  const { entry } = joined;
  const key = storefront?.basketKey ?? (await readBasketKey(table, orgId, unixSeconds(clock)));
  return { ...waitingEntryResource(entry), entry_token: key ? entryTokenOf(key, orgId, entry.entryId) : null };
};

export const handler = pipeline(joinWaitingList, handle);
