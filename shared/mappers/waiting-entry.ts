import { priceIdOf } from '../domain/prices/price.ts';
import type { EntryStatus, WaitingEntry as WaitingEntryRecord } from '../domain/waiting-list/entry.ts';
import type { WaitingEntry } from '../operations/schemas/waiting-entry.ts';

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
    offer_expires_at: entry.offerUntilUnix,
  };
}

/** The event that announces an entry, its offer, or the end of the offer. It has no token: bodies of events are kept and listed. */
export function waitingListEvent<
  const Type extends 'waiting_list.joined' | 'waiting_list.offered' | 'waiting_list.expired',
>(type: Type, entry: WaitingEntryRecord) {
  return { type, data: { waiting_list_entry: waitingEntryResource(entry) } };
}
