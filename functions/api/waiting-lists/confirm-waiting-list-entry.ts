import { readBasketKey } from '../../../shared/data/auth/valid-storefront-tokens.ts';
import type { WaitingEntry } from '../../../shared/domain/waiting-list/entry.ts';
import { entryTokenOf, isConfirmToken } from '../../../shared/http/auth/entry-token.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { isOwnAddress } from '../../../shared/http/handlers/callers/own-address.ts';
import { saleContext } from '../../../shared/http/handlers/callers/sale-context.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { waitingProblem } from '../../../shared/http/handlers/problems/waiting-list-problems.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { waitingEntryResource, waitingListEvent } from '../../../shared/mappers/waiting-entry.ts';
import { confirmWaitingListEntry } from '../../../shared/operations/waiting-lists/confirm-waiting-list-entry.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { confirmEntry } from '../../../shared/sales/waiting-list/confirm-entry.ts';

export const handle: Handle<typeof confirmWaitingListEntry> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt, ssoToken } = deps;
  const { orgId, storefront } = caller;
  const ref = { eventId: parseEventId(params.event_id), entryId: params.entry_id };
  const fan = ssoToken === undefined ? undefined : await authenticateSsoUser(deps);
  const isAllowed = async (asked: WaitingEntry): Promise<boolean> =>
    storefront === undefined ||
    isConfirmToken(body.confirm_token, storefront.basketKey, orgId, asked) ||
    (fan !== undefined && (await isOwnAddress(deps, fan, asked.emailAddress)));
  const confirmed = { ...ref, userId: fan?.link?.userId ?? null };
  const outcome = await confirmEntry(saleContext(deps), confirmed, isAllowed, (joined) => [
    ...outboxItems(table, orgId, waitingListEvent('waiting_list.joined', joined), { nowMs: clock.nowMs(), requestId }),
    ...receipt({ ...waitingEntryResource(joined), entry_token: null }),
  ]);
  if (outcome.outcome === 'refused') throw waitingProblem(outcome.refusal, unixSeconds(clock));
  const { entry } = outcome;
  const key = storefront?.basketKey ?? (await readBasketKey(table, orgId, unixSeconds(clock)));
  return { ...waitingEntryResource(entry), entry_token: key ? entryTokenOf(key, orgId, entry.entryId) : null };
};

export const handler = pipeline(confirmWaitingListEntry, handle);
