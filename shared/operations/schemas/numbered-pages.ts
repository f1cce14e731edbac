import * as v from 'valibot';
import { field } from './fields.ts';

const integer = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** The parameters of a list with numbered pages. */
export const numberedPages = (rows: string, { most, usual }: { readonly most: number; readonly usual: number }) => ({
  page_number: v.optional(field(integer(1, 999_999_999), 'The page to return, starting at 1.'), 1),
  limit: v.optional(field(integer(1, most), `The number of ${rows} per page.`), usual),
});
