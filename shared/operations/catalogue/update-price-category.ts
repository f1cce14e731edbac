import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { eventsAccess } from '../../data/events/access.ts';
import { defineOperation } from '../operation.ts';
import { PriceCategory } from '../schemas/price-category.ts';
import { priceCategoryFields } from './price-category-fields.ts';
import { priceCategoryPath } from './price-path.ts';

export const updatePriceCategory = defineOperation({
  id: 'update-price-category',
  resource: 'catalogue',
  summary: 'Update a price category',
  description:
    'Changes the fields that you send and leaves the others unchanged. Prices of an inactive category are not sold.',
  method: 'PATCH',
  paths: ['/v1/events/{event_id}/price_categories/{price_category_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: priceCategoryPath,
    ifMatch: true,
    body: v.pipe(v.partial(v.strictObject(priceCategoryFields)), v.minEntries(1, 'Send at least one field to change.')),
  },
  output: { schema: PriceCategory, problems: ['parameter_missing', 'resource_missing'] },
  effects: {
    access: [catalogueAccess.updatePriceCategory, eventsAccess.readEvent, catalogueAccess.hasZone],
    cannotBeUndone: false,
  },
});
