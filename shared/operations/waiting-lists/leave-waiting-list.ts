import * as v from 'valibot';
import { pricesAccess } from '../../data/prices/access.ts';
import { waitingListAccess } from '../../data/waiting-list/access.ts';
import { salesAccess } from '../../sales/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { WaitingEntry } from '../schemas/waiting-entry.ts';

export const leaveWaitingList = defineOperation({
  id: 'leave-waiting-list',
  resource: 'waiting-lists',
  summary: 'Leave a waiting list',
  description: `Takes a person off a waiting list. Tickets that are offered to the person are released, and offered to the next who fit. Leaving twice, or after
the purchase, changes nothing. With a storefront token, send the \`entry_token\`, or the token of the fan who joined in X-SSO-Token; otherwise the entry does not
exist. While the offer is being paid, the response is 409 \`checkout_in_progress\`.`,
  method: 'DELETE',
  paths: ['/v1/events/{event_id}/waiting_list/{entry_id}'],
  auth: {
    kind: 'metered',
    scope: 'baskets:write',
    ssoUser: 'optional',
    storefront: { sees: 'the entry whose entry_token it sends, or that of the signed-in fan' },
  },
  input: {
    params: v.strictObject({ ...eventPath.entries, entry_id: field(v.string(), 'The entry_id of the entry.') }),
    query: v.strictObject({
      entry_token: v.optional(field(v.string(), 'The entry_token of the entry, with a storefront token.')),
    }),
  },
  output: { schema: WaitingEntry, problems: ['checkout_in_progress'] },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      pricesAccess.readPricedEvent,
      pricesAccess.readStock,
      waitingListAccess.readEntry,
      waitingListAccess.endEntry,
      waitingListAccess.readOfferedBaskets,
      salesAccess.changeBasketEndingPayment,
    ],
    usesPayments: true,
    cannotBeUndone: false,
  },
  // A payment that waits for the buyer is cancelled at the provider first.
  runtime: { timeoutSeconds: 27, concurrency: 10 },
});
