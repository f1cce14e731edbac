import { countersAccess } from '../../data/counters/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { defineOperation } from '../operation.ts';
import { PriceCategoryStats } from '../schemas/event-stats.ts';
import { eventDataOf } from '../schemas/list-envelope.ts';
import { eventPath } from './event-path.ts';
import { statsQuery } from './stats-query.ts';

export const eventStatsByPriceCategory = defineOperation({
  id: 'event-stats-by-price-category',
  resource: 'events',
  summary: 'Count sold and attended tickets by price category',
  description:
    'Returns one item for each price category of the event, in display order, including categories without sales.',
  method: 'GET',
  paths: ['/v1/events/{event_id}/stats/price_categories'],
  auth: { kind: 'metered', scope: 'read', orScope: 'catalogue:write' },
  input: { params: eventPath, query: statsQuery },
  output: { schema: eventDataOf(PriceCategoryStats) },
  effects: { access: [pricesAccess.readPricedEvent, countersAccess.readSales, countersAccess.readAttended] },
});
