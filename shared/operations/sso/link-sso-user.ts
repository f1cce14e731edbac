import * as v from 'valibot';
import { customersAccess } from '../../data/customers/access.ts';
import { ssoDataAccess } from '../../data/sso/access.ts';
import { customerLimits } from '../../domain/customers/customer.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { SsoLink } from '../schemas/sso-link.ts';
import { IdOrText, text } from '../schemas/text.ts';

export const linkSsoUser = defineOperation({
  id: 'link-sso-user',
  resource: 'sso',
  summary: 'Link the signed-in fan to a customer',
  description: `Links the user of the X-SSO-Token to a customer. From then on the user sees the orders, tickets and memberships of that customer.
Repeating the request changes nothing and returns the link. A user is linked to one customer: to move the user, unlink it first.

With an API key, \`user_id\` or \`org_customer_id\` names the customer: your server knows who the fan is.

With a storefront token the request has no body. The user is linked to the customer with the email address of the token, if all of this
is true: the platform team has registered the identity provider as one whose email addresses are trusted, the token contains
\`email_verified: true\`, and exactly one customer has the address. Addresses are compared exactly, only the case of the letters A to Z is
ignored. A user who is already linked keeps the link.`,
  method: 'POST',
  paths: ['/v1/sso/link'],
  auth: {
    kind: 'metered',
    scope: 'sso',
    ssoUser: 'signed_in',
    storefront: { sees: 'the customer with the verified email address of the signed-in fan' },
  },
  input: {
    body: v.strictObject({
      user_id: v.optional(field(v.nullable(IdOrText), 'The user_id of the customer. Only with an API key.'), null),
      org_customer_id: v.optional(
        field(
          v.nullable(text(customerLimits.orgCustomerId)),
          "The organisation's own id of the customer, instead of user_id. Only with an API key.",
        ),
        null,
      ),
    }),
  },
  output: {
    schema: SsoLink,
    // The key of a stored response does not contain the fan, and a repeat is safe.
    isStored: false,
    problems: [
      'parameter_missing',
      'parameter_conflict',
      'resource_missing',
      'sso_already_linked',
      'sso_customer_missing',
      'sso_link_ambiguous',
      'sso_email_not_verified',
    ],
  },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      customersAccess.readCustomer,
      customersAccess.findCustomer,
      customersAccess.findCustomerWithVerifiedAddress,
      ssoDataAccess.saveLink,
    ],
    cannotBeUndone: false,
  },
});
