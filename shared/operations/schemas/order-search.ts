import * as v from 'valibot';
import { field } from './fields.ts';
import { searchRules } from './search.ts';
import { maxCharacters } from './text.ts';

/** The search parameter of the lists of orders. */
export const orderSearch = field(
  v.pipe(v.string(), ...maxCharacters(1_000)),
  `Only return orders that match every word of this text. A word matches if a name or the email address of the buyer contains a word
that starts with it, or if it is the complete order_id or order_uuid. ${searchRules} An email
address is also found by its domain.`,
);
