import * as v from 'valibot';
import { customersAccess } from '../../data/customers/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { ConsentHistory } from '../schemas/consent.ts';
import { field } from '../schemas/fields.ts';
import { consentsPath } from './consents-path.ts';

export const listConsents = defineOperation({
  id: 'list-consents',
  resource: 'customers',
  summary: 'List the consents of a customer',
  description: `Returns what the customer said, the newest first, page by page, and in \`current\` what counts now for each purpose and channel. A customer
whose \`marketing_emails\` was imported before the history began has it in \`current\` only, with the source \`import\`.`,
  method: 'GET',
  paths: ['/v1/customers/{customer_id}/consents'],
  auth: {
    kind: 'metered',
    scope: 'read',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'the customer that the signed-in fan is linked to' },
  },
  input: {
    params: consentsPath,
    query: v.strictObject({
      limit: v.optional(
        field(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 'The number of consents per page.'),
        50,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: { schema: ConsentHistory, problems: ['cursor_invalid'] },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      customersAccess.findCustomer,
      customersAccess.readCustomer,
      customersAccess.readCurrentConsents,
      customersAccess.listConsents,
    ],
    secrets: ['cursors'],
  },
});
