import { membershipAccess } from '../../data/membership/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { defineOperation } from '../operation.ts';
import { dataOf } from '../schemas/list-envelope.ts';
import { Price } from '../schemas/price.ts';
import { eventPath } from './event-path.ts';

export const listEventPrices = defineOperation({
  id: 'list-event-prices',
  resource: 'events',
  summary: 'List the prices of an event',
  description: `Returns the prices (ticket types) of the event in display order, category by category. With an API key these are all prices,
including hidden and inactive ones, with the numbers of tickets.

Prices with the same \`pool_id\` share their places. Show \`total_price\` first: it is what the buyer pays.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/prices'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: { sees: 'the active prices with `show_online` of a published event that is public', catalogue: true },
  },
  input: { params: eventPath },
  output: { schema: dataOf(Price) },
  effects: { access: [pricesAccess.readPricedEvent, pricesAccess.readStock, membershipAccess.readMembershipTypes] },
  // The first request of every buyer: 750 in the first second of a sale, when each starts an instance, for half a second.
  runtime: { concurrency: 400 },
});
