import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

export const customerPath = v.strictObject({
  customer_id: field(
    v.string(),
    'The org_customer_id of the customer. Of a user_id, list-customers with `search` finds it.',
  ),
});
