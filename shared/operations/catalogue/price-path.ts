import * as v from 'valibot';
import { eventPath } from '../events/event-path.ts';
import { field } from '../schemas/fields.ts';

/** The path parameters of the operations on a price, a price category or a pool of an event. */
export const pricePath = v.strictObject({
  ...eventPath.entries,
  price_id: field(v.string(), 'The price_id of the price.'),
});
export const priceCategoryPath = v.strictObject({
  ...eventPath.entries,
  price_category_id: field(v.string(), 'The price_category_id of the price category.'),
});
export const poolPath = v.strictObject({
  ...eventPath.entries,
  pool_id: field(v.string(), 'The pool_id of the pool.'),
});
