import { WaitingEntry } from './waiting-entry.ts';
import { webhookEvent } from './webhook-envelope.ts';

/** The events of waiting lists. */
export const waitingListWebhooks = {
  'waiting_list.joined': webhookEvent(
    'waiting_list.joined',
    'WaitingListJoinedEvent',
    'Somebody joined a waiting list (`status` is `waiting`), or a page entered an address that has to be confirmed (`unconfirmed`, once a day for an address and a price). Then fetch the `confirm_token` with list-waiting-list and send the person a link to your shop; the event follows again when the person confirms. No event has a token.',
    { waiting_list_entry: WaitingEntry },
  ),
  'waiting_list.offered': webhookEvent(
    'waiting_list.offered',
    'WaitingListOfferedEvent',
    'Tickets came back and are held for somebody who waited, until offer_expires_at. Fetch the basket token with retrieve-basket, and send the person a link to your shop.',
    { waiting_list_entry: WaitingEntry },
  ),
  'waiting_list.expired': webhookEvent(
    'waiting_list.expired',
    'WaitingListExpiredEvent',
    'An offer was not paid in time. Its tickets are offered to the next who fit.',
    { waiting_list_entry: WaitingEntry },
  ),
};
