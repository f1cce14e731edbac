import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

const UnixBound = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9_999_999_999));

/** A time range with both bounds excluded. `what` starts the description, for example "Only return orders placed". */
export const timeRangeOf = (what: string) => ({
  unix_start: v.optional(field(UnixBound, `${what} after this Unix time in seconds.`)),
  unix_end: v.optional(field(UnixBound, `${what} before this Unix time in seconds.`)),
});
