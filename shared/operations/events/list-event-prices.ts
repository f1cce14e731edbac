import * as v from 'valibot';
import { codesAccess } from '../../data/codes/access.ts';
import { membershipAccess } from '../../data/membership/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { seatsAccess } from '../../data/seats/access.ts';
import { phaseAccess } from '../baskets/basket-operation.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { dataOf } from '../schemas/list-envelope.ts';
import { Price } from '../schemas/price.ts';
import { text } from '../schemas/text.ts';
import { eventPath } from './event-path.ts';

export const listEventPrices = defineOperation({
  id: 'list-event-prices',
  resource: 'events',
  summary: 'List the prices of an event',
  description: `Returns the prices (ticket types) of the event in display order, category by category. With an API key these are all prices,
including hidden and inactive ones, with the numbers of tickets.

Prices with the same \`pool_id\` share their places. Show \`total_price\` first: it is what the buyer pays.

A price that is sold in phases (create-phase) shows the one that is open and when the next one opens. With the token of a fan in \`X-SSO-Token\`, every price
says whether the fan may buy it now (\`eligible\`) and what is \`missing\`.

With \`code\`, every price says what the code takes off (\`code_reduction\`); apply-code takes a use of it, if one is left. Prices that only a code reveals
(create-code-campaign) are not shown to a storefront token without it. A code that does not exist is a 400
\`code_unknown\`; a network address has 100 of them a minute.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/prices'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: { sees: 'the active prices with `show_online` of a published event that is public', catalogue: true },
    ssoUser: 'optional',
  },
  input: {
    params: eventPath,
    query: v.strictObject({
      code: v.optional(
        field(
          text(100),
          'A code of the fan: with it, prices show what it takes off, and those that only this code reveals are shown too.',
        ),
      ),
    }),
  },
  output: { schema: dataOf(Price), problems: ['code_unknown', 'code_expired'] },
  effects: {
    access: [
      pricesAccess.readPricedEvent,
      pricesAccess.readStock,
      seatsAccess.readShownSeats,
      seatsAccess.readTakenSection,
      membershipAccess.readMembershipTypes,
      codesAccess.readCode,
      codesAccess.readCampaign,
      ...phaseAccess,
    ],
  },
  // The first request of every buyer: 750 in the first second of a sale, when each starts an instance, for half a second.
  runtime: { concurrency: 400, raisedForSale: true },
});
