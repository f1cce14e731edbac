import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** The query of both statistics of an event. */
export const statsQuery = v.strictObject({
  include_cancelled: v.optional(field(v.boolean(), 'If true, sold includes cancelled and refunded tickets.'), false),
});
