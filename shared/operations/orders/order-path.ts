import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** The order of a path. A text that names no order is a 404. */
export const orderPath = v.strictObject({
  order_id: field(v.string(), 'The order_id or the order_uuid of the order.'),
});
