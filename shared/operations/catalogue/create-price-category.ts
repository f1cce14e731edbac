import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { PriceCategory } from '../schemas/price-category.ts';
import { priceCategoryFields } from './price-category-fields.ts';

const { title, ...others } = priceCategoryFields;

export const createPriceCategory = defineOperation({
  id: 'create-price-category',
  resource: 'catalogue',
  summary: 'Create a price category',
  description: 'Creates a price category of the event, such as a stand. Every price belongs to one.',
  method: 'POST',
  paths: ['/v1/events/{event_id}/price_categories'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: eventPath,
    body: v.strictObject({
      code: optionalCode('price category'),
      title,
      ...v.partial(v.strictObject(others)).entries,
      status: v.optional(others.status, 'active'),
      order_by: v.optional(others.order_by, 0),
    }),
  },
  output: { status: 201, schema: PriceCategory, problems: ['resource_missing', 'code_taken'] },
  effects: {
    access: [pricesAccess.savePriceCategory, pricesAccess.readEventWithCategories, catalogueAccess.hasZone],
    cannotBeUndone: false,
  },
});
