import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { Customer } from '../schemas/customer.ts';
import { field } from '../schemas/fields.ts';
import { organisationListOf } from '../schemas/list-envelope.ts';

const integer = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

export const listCustomers = defineOperation({
  id: 'list-customers',
  resource: 'customers',
  summary: 'List all customers',
  description: `The customers of the organisation, a page at a time. A page that is asked for within a
minute of the page before it, with the same key, begins where that one ended: such a walk repeats and skips nobody because
others came or went. Any other page is counted from the beginning.`,
  method: 'GET',
  paths: ['/v1/customers'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      page_number: v.optional(field(integer(1, 999_999_999), 'Which page, from 1.'), 1),
      limit: v.optional(field(integer(1, 100), 'How many customers a page has.'), 20),
      search: v.optional(
        field(
          v.pipe(v.string(), v.maxLength(1_000)),
          `Only customers that every word of this text matches: it begins a word of their names, email address, mobile number or
postcode, or it is their org_customer_id or user_id, whole. Case and accents do not matter.`,
        ),
      ),
      sort_direction: v.optional(field(v.picklist(['asc', 'desc']), 'Ascending or descending.'), 'desc'),
      sort_field: v.optional(
        field(
          v.picklist(['add_date', 'updated_at', 'first_name', 'last_name', 'email_address']),
          `What to sort by. Case and accents do not matter; customers that were never updated are sorted by add_date; ties break
on user_id.`,
        ),
        'add_date',
      ),
      updated_since: v.optional(
        field(
          integer(0, 9_999_999_999),
          'Only customers updated after this Unix second, or added after it and never updated.',
        ),
      ),
    }),
  },
  output: { schema: organisationListOf('customers', Customer) },
  effects: { access: { CUS: ['GetItem', 'Query'], CUV: ['Query'] } },
});
