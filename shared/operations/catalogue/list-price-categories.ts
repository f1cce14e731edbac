import { pricesAccess } from '../../data/prices/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { dataOf } from '../schemas/list-envelope.ts';
import { PriceCategory } from '../schemas/price-category.ts';

export const listPriceCategories = defineOperation({
  id: 'list-price-categories',
  resource: 'catalogue',
  summary: 'List the price categories of an event',
  description: 'Returns the price categories of the event in display order.',
  method: 'GET',
  paths: ['/v1/events/{event_id}/price_categories'],
  auth: { kind: 'metered', scope: 'read', orScope: 'catalogue:write' },
  input: { params: eventPath },
  output: { schema: dataOf(PriceCategory) },
  effects: { access: [pricesAccess.readEventWithCategories] },
});
