import * as v from 'valibot';
import { seatMapLimits } from '../../domain/seats/seat-map.ts';
import { Position, Title } from '../schemas/catalogue-text.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';

/** The fields of a price category that a client sets, on creation and later. */
export const priceCategoryFields = {
  title: field(Title, 'Title of the category, as fans see it.'),
  status: field(v.picklist(['active', 'inactive']), 'Whether the prices of the category are sold: active or inactive.'),
  zone: field(
    v.nullable(text(seatMapLimits.name)),
    'The zone of the seat map that the prices of the category sell. Only for an event with a seat_map_id.',
  ),
  order_by: field(Position, 'Position in the price list, lowest first.'),
};
