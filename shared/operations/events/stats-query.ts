import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** What both statistics of an event can be asked. */
export const statsQuery = v.strictObject({
  include_cancelled: v.optional(field(v.boolean(), 'Whether sold counts cancelled and refunded tickets too.'), false),
});
