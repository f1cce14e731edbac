import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** Which orders of the fan a list shows. */
export const fanOrderStatus = {
  order_status: v.optional(
    field(v.picklist(['confirmed', 'all']), '`all` also returns cancelled and refunded orders, and their tickets.'),
    'confirmed',
  ),
};
