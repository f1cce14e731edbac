import { customersAccess } from '../../data/customers/access.ts';
import { ssoDataAccess } from '../../data/sso/access.ts';
import { salesAccess } from '../../sales/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { Consent, ConsentInput } from '../schemas/consent.ts';
import { consentsPath } from './consents-path.ts';

export const recordConsent = defineOperation({
  id: 'record-consent',
  resource: 'customers',
  summary: 'Record a consent, or its withdrawal',
  description: `Adds what a customer says about one purpose and channel to the history, with the time and who recorded it: \`staff\` with an API key, \`page\` with the token of
the fan in \`X-SSO-Token\`. Nothing of the history changes: to withdraw, record the same with \`given\` false. The newest counts, also of two at the same moment. What another person or a page says is
never about this customer: with a storefront token the fan must be linked to it.

\`marketing_emails\` of the customer follows the purpose \`marketing\` with the channel \`email\`. \`customer.consent_changed\` follows unless it says what counted before. A customer has consents for at
most 50 pairs of purpose and channel.`,
  method: 'POST',
  paths: ['/v1/customers/{customer_id}/consents'],
  auth: {
    kind: 'metered',
    scope: 'members:write',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'the customer that the signed-in fan is linked to' },
  },
  input: { params: consentsPath, body: ConsentInput },
  output: { status: 201, schema: Consent, problems: [] },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      ssoDataAccess.linkCheck,
      customersAccess.findCustomer,
      customersAccess.readCustomer,
      salesAccess.recordConsents,
    ],
    emits: ['customer.consent_changed'],
    cannotBeUndone: false,
  },
});
