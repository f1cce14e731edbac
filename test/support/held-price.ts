import { handle as handleConfirm } from '../../functions/api/waiting-lists/confirm-waiting-list-entry.ts';
import { handle as handleJoin } from '../../functions/api/waiting-lists/join-waiting-list.ts';
import { handle as handleLeave } from '../../functions/api/waiting-lists/leave-waiting-list.ts';
import { changeBasket } from '../../shared/data/baskets/baskets.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { cancelBasket } from '../../shared/domain/baskets/changes.ts';
import { confirmWaitingListEntry } from '../../shared/operations/waiting-lists/confirm-waiting-list-entry.ts';
import { joinWaitingList } from '../../shared/operations/waiting-lists/join-waiting-list.ts';
import { leaveWaitingList } from '../../shared/operations/waiting-lists/leave-waiting-list.ts';
import { givenPrice } from '../../tools/fixtures/events.ts';
import { checkoutDepsOf, givenBasket } from './baskets.ts';
import { callWithHeaders } from './call-operation.ts';
import { givenPhasedSale } from './phased-sale.ts';
import { list } from './waiting-list.ts';

type Headers = Readonly<Record<string, string>>;

/** A price whose tickets are all in one basket, and the page of a shop. */
export async function givenHeldPrice(table: Table, capacity: number) {
  const sale = await givenPhasedSale(table);
  const { orgId, storefront } = sale;
  const { eventId } = sale.event;
  const deps = checkoutDepsOf(table, orgId);
  const price = await givenPrice(table, orgId, {
    eventId,
    categoryId: sale.price.categoryId,
    code: 'last',
    capacity,
  });
  const { basketId } = await givenBasket(deps, price, capacity);
  const call = (headers: Headers = {}) => ({
    table,
    nowMs: deps.nowUnix * 1000,
    sourceIp: '203.0.113.7',
    bearer: storefront,
    headers,
  });
  const params = { event_id: String(eventId) };
  const ofEntry = (entry_id: unknown) => ({ ...params, entry_id: String(entry_id) });
  return {
    ...sale,
    deps,
    price,
    cancelHold: () => changeBasket(table, { orgId, basketId, decide: (basket) => cancelBasket(basket, deps.nowUnix) }),
    ask: (email: string, wish: object = {}, headers?: Headers) =>
      callWithHeaders(joinWaitingList, handleJoin, {
        ...call(headers),
        params,
        body: { price_id: price.priceId, email, ...wish },
      }),
    confirm: (entryId: unknown, confirm_token?: unknown, headers?: Headers) =>
      callWithHeaders(confirmWaitingListEntry, handleConfirm, {
        ...call(headers),
        params: ofEntry(entryId),
        body: confirm_token === undefined ? {} : { confirm_token: String(confirm_token) },
      }),
    leave: (entryId: unknown, token: unknown, headers?: Headers) =>
      callWithHeaders(leaveWaitingList, handleLeave, {
        ...call(headers),
        params: ofEntry(entryId),
        query: token === undefined ? {} : { entry_token: String(token) },
      }),
    /** What the organisation's server reads for its mail. */
    mailTo: async (email: string) => (await list(deps, price)).find((entry) => entry.email === email),
  };
}
