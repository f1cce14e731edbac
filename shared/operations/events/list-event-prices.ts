import { defineOperation } from '../operation.ts';
import { dataOf } from '../schemas/list-envelope.ts';
import { Price } from '../schemas/price.ts';
import { eventPath } from './event-path.ts';

export const listEventPrices = defineOperation({
  id: 'list-event-prices',
  resource: 'events',
  summary: 'List the prices of an event',
  description: `Every price (ticket type) of the event, hidden and inactive ones included, in the order in which they are to be
offered: category by category.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/prices'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: eventPath },
  output: { schema: dataOf(Price) },
  effects: { access: { EVC: ['Query'], MCF: ['Query'], STK: ['Query'] } },
});
