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
    '`unconfirmed`: the person was entered by a page and has not confirmed the address; nothing is kept or offered. `waiting`: in the queue. `offered`: the basket holds tickets for the person. `bought`: they were paid. `left`: the person left, or cancelled the basket. `passed`: the offer was not paid in time, or the list has ended.',
  ),
  created: field(
    UnixSeconds,
    'When the person joined, in Unix seconds; who has to confirm joins with that. The queue has this order.',
  ),
  basket_id: field(v.nullable(v.string()), 'The basket with the offered tickets; null if none were offered.'),
  offered_quantity: field(
    v.nullable(Count),
    'How many tickets were offered: with `accept_less` perhaps fewer than `quantity`. Null if none were.',
  ),
  offer_expires_at: field(
    v.nullable(UnixSeconds),
    'Until when the offer can be paid, in Unix seconds; null if there is none.',
  ),
};

export const WaitingEntry = resource('WaitingEntry', 'Somebody who waits for tickets of a price.', entries);
export type WaitingEntry = v.InferOutput<typeof WaitingEntry>;

const entryToken = field(
  v.nullable(v.string()),
  'Whoever sends it to leave-waiting-list with a storefront token leaves the list. Put it into the link of your mails. Null if the organisation has no storefront token.',
);

export const WaitingEntryWithToken = resource(
  'WaitingEntryWithToken',
  'An entry of a waiting list, with the token that lets the person leave.',
  { ...entries, entry_token: entryToken },
);

export const ListedWaitingEntry = resource(
  'ListedWaitingEntry',
  'An entry of a waiting list, with the tokens for your mails to the person.',
  {
    ...entries,
    entry_token: entryToken,
    confirm_token: field(
      v.nullable(v.string()),
      'Of an `unconfirmed` entry: whoever sends it to confirm-waiting-list-entry joins the queue. Send it to this address and to nobody else. Null of other entries, and if the organisation has no storefront token.',
    ),
  },
);

const hidden = 'Null to a page that has to ask the person to confirm.';

export const JoinedWaitingEntry = resource(
  'JoinedWaitingEntry',
  'An entry of a waiting list. To a page that sends an address which is not known to be that of the signed-in fan, it is the same for every address.',
  {
    ...entries,
    quantity: field(v.nullable(Count), `How many tickets of the price the person wants. ${hidden}`),
    accept_less: field(v.nullable(v.boolean()), `Whether fewer tickets may be offered. ${hidden}`),
    created: field(v.nullable(UnixSeconds), `When the person joined, in Unix seconds. ${hidden}`),
    entry_token: field(
      v.nullable(v.string()),
      `Whoever sends it to leave-waiting-list with a storefront token leaves the list. ${hidden} confirm-waiting-list-entry returns it then. Also null if the organisation has no storefront token.`,
    ),
  },
);
export type JoinedWaitingEntry = v.InferOutput<typeof JoinedWaitingEntry>;
