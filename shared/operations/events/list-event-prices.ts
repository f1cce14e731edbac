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
  description: `Returns all prices (ticket types) of the event, including hidden and inactive ones, in display order, category by
category.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/prices'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: eventPath },
  output: { schema: dataOf(Price) },
  effects: { access: [pricesAccess.readPricedEvent, pricesAccess.readStock, membershipAccess.readMembershipTypes] },
});
