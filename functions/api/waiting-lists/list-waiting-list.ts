import { readBasketKey } from '../../../shared/data/auth/valid-storefront-tokens.ts';
import { listEntries, offerIn, readOfferedBaskets } from '../../../shared/data/waiting-list/read.ts';
import { statusAt } from '../../../shared/domain/waiting-list/entry.ts';
import { confirmTokenOf, entryTokenOf } from '../../../shared/http/auth/entry-token.ts';
import { parseEventId, requirePricedEvent } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { waitingEntryResource } from '../../../shared/mappers/waiting-entry.ts';
import { listWaitingList } from '../../../shared/operations/waiting-lists/list-waiting-list.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listWaitingList> = async ({ params, query }, { caller, table, clock, baseUrl }) => {
  const { orgId } = caller;
  const nowUnix = unixSeconds(clock);
  const eventId = parseEventId(params.event_id);
  const priced = await requirePricedEvent(table, orgId, eventId);
  const identity = { orgId, operation: listWaitingList.id, parameters: { eventId } };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, query.cursor);
  const [{ entries, next }, basketKey] = await Promise.all([
    listEntries(table, { orgId, eventId, after, limit: query.limit }),
    readBasketKey(table, orgId, nowUnix),
  ]);
  const offered = entries.filter(({ status }) => status === 'offered');
  const baskets = await readOfferedBaskets(table, orgId, offered);
  return {
    object: 'waiting_list',
    url: `${baseUrl}/v1/events/${eventId}/waiting_list`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: entries.map((entry) => {
      const { entryId, basketId, priceIndex } = entry;
      const status = statusAt(entry, {
        offer: offerIn(priced, priceIndex),
        basket: baskets.get(basketId ?? 0),
        nowUnix,
      });
      const entry_token = basketKey ? entryTokenOf(basketKey, orgId, entryId) : null;
      const isToConfirm = basketKey !== undefined && status === 'unconfirmed';
      const confirm_token = isToConfirm ? confirmTokenOf(basketKey, orgId, entry) : null;
      return { ...waitingEntryResource(entry, status), entry_token, confirm_token };
    }),
  };
};

export const handler = pipeline(listWaitingList, handle);
