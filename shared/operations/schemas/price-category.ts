import * as v from 'valibot';
import { field, Id, Integer, resource, Version } from './fields.ts';
import { PriceCategoryStatus } from './price.ts';

export const PriceCategory = resource('PriceCategory', 'A group of prices of an event, such as a stand.', {
  price_category_id: field(Id, 'Unique identifier of the price category.'),
  title: field(v.string(), 'Title of the category, as fans see it.'),
  status: field(PriceCategoryStatus, 'Whether the prices of the category are sold: active or inactive.'),
  zone: field(v.nullable(v.string()), 'The zone of the seat map that its prices sell; null without reserved seating.'),
  order_by: field(Integer, 'Position in the price list, lowest first.'),
  code: field(v.string(), "The organisation's own short name for the category, by which imports identify it."),
  version: field(
    Version,
    'Raised by every change of the category. Send it in If-Match, so that no other change is lost.',
  ),
});
export type PriceCategory = v.InferOutput<typeof PriceCategory>;
