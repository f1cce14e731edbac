import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

const UnixBound = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9_999_999_999));

/** The two bounds of a time, both excluded. `what` is what happens in it, such as "Orders placed". */
export const timeRangeOf = (what: string) => ({
  unix_start: v.optional(field(UnixBound, `${what} after this Unix second.`)),
  unix_end: v.optional(field(UnixBound, `${what} before this Unix second.`)),
});
