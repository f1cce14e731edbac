import { defineOperation } from '../operation.ts';
import { PriceCategoryStats } from '../schemas/event-stats.ts';
import { eventDataOf } from '../schemas/list-envelope.ts';
import { eventPath } from './event-path.ts';
import { statsQuery } from './stats-query.ts';

export const eventStatsByPriceCategory = defineOperation({
  id: 'event-stats-by-price-category',
  resource: 'events',
  summary: 'Count what was sold and who came, by price category',
  description:
    'One item for each price category of the event, in the order in which they are offered, those without sales too.',
  method: 'GET',
  paths: ['/v1/events/{event_id}/stats/price_categories'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: eventPath, query: statsQuery },
  output: { schema: eventDataOf(PriceCategoryStats) },
  effects: { access: { CNT: ['Query'], EVC: ['Query'] } },
});
