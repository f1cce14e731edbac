import { priceIdOf } from '../domain/prices/price.ts';
import type { EntryStatus, WaitingEntry as WaitingEntryRecord } from '../domain/waiting-list/entry.ts';
import type { JoinedWaitingEntry, WaitingEntry } from '../operations/schemas/waiting-entry.ts';

export function waitingEntryResource(entry: WaitingEntryRecord, status: EntryStatus = entry.status): WaitingEntry {
  return {
    entry_id: entry.entryId,
    event_id: String(entry.eventId),
    price_id: priceIdOf(entry.eventId, entry.priceIndex),
    quantity: entry.quantity,
    accept_less: entry.acceptLess,
    email: entry.emailAddress,
    status,
    created: entry.joinedUnix,
    basket_id: entry.basketId === null ? null : String(entry.basketId),
    offered_quantity: entry.offeredQuantity,
    offer_expires_at: entry.offerUntilUnix,
  };
}

/** What a page learns of an address that it sends: the same for each, whether it waits or not. */
export function requestedEntry(
  entryId: string,
  { eventId, priceId, email }: { readonly eventId: number; readonly priceId: number; readonly email: string },
): JoinedWaitingEntry {
  return {
    entry_id: entryId,
    event_id: String(eventId),
    price_id: priceId,
    email,
    status: 'unconfirmed',
    quantity: null,
    accept_less: null,
    created: null,
    basket_id: null,
    offered_quantity: null,
    offer_expires_at: null,
    entry_token: null,
  };
}

/** The event that announces an entry, its offer, or the end of the offer. It has no token: bodies of events are kept and listed. */
export function waitingListEvent<
  const Type extends 'waiting_list.joined' | 'waiting_list.offered' | 'waiting_list.expired',
>(type: Type, entry: WaitingEntryRecord) {
  return { type, data: { waiting_list_entry: waitingEntryResource(entry) } };
}
