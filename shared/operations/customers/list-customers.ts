import * as v from 'valibot';
import { customersAccess } from '../../data/customers/access.ts';
import { defineOperation } from '../operation.ts';
import { Customer } from '../schemas/customer.ts';
import { field, sinceLastReading, UnixBound } from '../schemas/fields.ts';
import { organisationListOf } from '../schemas/list-envelope.ts';
import { numberedPages } from '../schemas/numbered-pages.ts';
import { searchRules } from '../schemas/search.ts';
import { maxCharacters } from '../schemas/text.ts';

export const listCustomers = defineOperation({
  id: 'list-customers',
  resource: 'customers',
  summary: 'List all customers',
  description: `Returns the customers of the organisation, page by page. Pages are counted in the list as
it is at the time of the request: a change between two requests can repeat or skip a customer.`,
  method: 'GET',
  paths: ['/v1/customers'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      ...numberedPages('customers', { most: 100, usual: 20 }),
      search: v.optional(
        field(
          v.pipe(v.string(), ...maxCharacters(1_000)),
          `Only return customers that match every word of this text. A word matches if a name, the email address, the mobile number or
the postcode contains a word that starts with it, or if it is the complete org_customer_id or user_id. ${searchRules} An email
address is also found by its domain, a mobile number or a postcode with and without its spaces: sw1a1aa finds SW1A 1AA, and
sw1a 1aa finds SW1A1AA.`,
        ),
      ),
      sort_direction: v.optional(
        field(v.picklist(['asc', 'desc']), 'The sort order: ascending or descending.'),
        'desc',
      ),
      sort_field: v.optional(
        field(
          v.picklist(['add_date', 'updated_at', 'first_name', 'last_name', 'email_address']),
          `The field to sort by. Case and accents are ignored. With updated_at, customers that were never updated sort by add_date. Ties
sort by user_id.`,
        ),
        'add_date',
      ),
      updated_since: v.optional(
        field(
          UnixBound,
          `Only return customers updated after this Unix time in seconds, or added after it and never updated. ${sinceLastReading}`,
        ),
      ),
    }),
  },
  output: { schema: organisationListOf('customers', Customer) },
  effects: { access: [customersAccess.listCustomers] },
});
