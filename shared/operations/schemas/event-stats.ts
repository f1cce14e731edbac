import * as v from 'valibot';
import { Count, field, Id, resource } from './fields.ts';

const category = {
  price_category_id: field(Id, 'The price category.'),
  category_title: field(v.string(), 'Title of the price category.'),
};

const counts = {
  sold: field(
    Count,
    'Number of tickets sold. Excludes cancelled and refunded tickets unless include_cancelled is true.',
  ),
  complimentary: field(Count, 'How many of the sold tickets were given away at the counter, without cancelled ones.'),
  attended: field(Count, 'Number of tickets admitted at a gate, each counted once.'),
};

export const PriceCategoryStats = resource('PriceCategoryStats', 'Sold and attended tickets of one price category.', {
  ...category,
  ...counts,
});
export type PriceCategoryStats = v.InferOutput<typeof PriceCategoryStats>;

export const PriceStats = resource('PriceStats', 'Sold and attended tickets of one price.', {
  price_id: field(Id, 'The price.'),
  price_title: field(v.string(), 'Title of the price.'),
  ...category,
  ...counts,
});
export type PriceStats = v.InferOutput<typeof PriceStats>;
