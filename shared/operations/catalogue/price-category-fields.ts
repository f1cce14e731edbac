import * as v from 'valibot';
import { Position, Title } from '../schemas/catalogue-text.ts';
import { field } from '../schemas/fields.ts';

/** The fields of a price category that a client sets, on creation and later. */
export const priceCategoryFields = {
  title: field(Title, 'Title of the category, as fans see it.'),
  status: field(v.picklist(['active', 'inactive']), 'Whether the prices of the category are sold: active or inactive.'),
  order_by: field(Position, 'Position in the price list, lowest first.'),
};
