import { countersAccess } from '../../data/counters/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { defineOperation } from '../operation.ts';
import { PriceStats } from '../schemas/event-stats.ts';
import { eventDataOf } from '../schemas/list-envelope.ts';
import { eventPath } from './event-path.ts';
import { statsQuery } from './stats-query.ts';

export const eventStatsByPrice = defineOperation({
  id: 'event-stats-by-price',
  resource: 'events',
  summary: 'Count sold and attended tickets by price',
  description: 'Returns one item for each price of the event, in display order, including prices without sales.',
  method: 'GET',
  paths: ['/v1/events/{event_id}/stats/prices'],
  auth: { kind: 'metered', scope: 'read', orScope: 'catalogue:write' },
  input: { params: eventPath, query: statsQuery },
  output: { schema: eventDataOf(PriceStats) },
  effects: { access: [pricesAccess.readPricedEvent, countersAccess.readSales, countersAccess.readAttended] },
});
