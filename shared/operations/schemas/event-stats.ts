import * as v from 'valibot';
import { Count, field, Id, resource } from './fields.ts';

const category = {
  price_category_id: field(Id, 'The price category that was counted.'),
  category_title: field(v.string(), 'Title of that category.'),
};

const counts = {
  sold: field(Count, 'Tickets sold; without cancelled and refunded ones unless include_cancelled is true.'),
  attended: field(Count, 'Tickets that were admitted at a gate, each counted once.'),
};

export const PriceCategoryStats = resource(
  'PriceCategoryStats',
  'What was sold and who came, for one price category.',
  {
    ...category,
    ...counts,
  },
);
export type PriceCategoryStats = v.InferOutput<typeof PriceCategoryStats>;

export const PriceStats = resource('PriceStats', 'What was sold and who came, for one price.', {
  price_id: field(Id, 'The price that was counted.'),
  price_title: field(v.string(), 'Title of that price.'),
  ...category,
  ...counts,
});
export type PriceStats = v.InferOutput<typeof PriceStats>;
