import * as v from 'valibot';
import { entryStatuses } from '../../domain/waiting-list/entry.ts';
import { Count, field, Id, resource, UnixSeconds } from './fields.ts';

const entries = {
  entry_id: field(
    v.string(),
    'Unique identifier of the entry. A person has one for each price, also when joining again.',
  ),
  event_id: field(v.string(), 'The event of the waiting list.'),
  price_id: field(Id, 'The price that the person waits for.'),
  quantity: field(Count, 'How many tickets of the price the person wants.'),
  accept_less: field(v.boolean(), 'Whether fewer tickets may be offered. If not, all or none are.'),
  email: field(v.nullable(v.string()), 'Email address of the person; null if the person was erased.'),
  status: field(
    v.picklist(entryStatuses),
    '`waiting`: in the queue. `offered`: the basket holds tickets for the person. `bought`: they were paid. `left`: the person left, or cancelled the basket. `passed`: the offer was not paid in time, or the list has ended.',
  ),
  created: field(UnixSeconds, 'When the person joined, in Unix seconds. The queue has this order.'),
  basket_id: field(v.nullable(v.string()), 'The basket with the offered tickets; null if none were offered.'),
  offer_expires_at: field(
    v.nullable(UnixSeconds),
    'Until when the offer can be paid, in Unix seconds; null if there is none.',
  ),
};

export const WaitingEntry = resource('WaitingEntry', 'Somebody who waits for tickets of a price.', entries);
export type WaitingEntry = v.InferOutput<typeof WaitingEntry>;

export const WaitingEntryWithToken = resource(
  'WaitingEntryWithToken',
  'An entry of a waiting list, with the token that lets the person leave.',
  {
    ...entries,
    entry_token: field(
      v.nullable(v.string()),
      'Whoever sends it to leave-waiting-list with a storefront token leaves the list. Put it into the link of your mails. Null if the organisation has no storefront token, and to a storefront token that repeats the request.',
    ),
  },
);
