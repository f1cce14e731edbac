import { ssoDataAccess } from '../../data/sso/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { SsoLink } from '../schemas/sso-link.ts';

export const unlinkSsoUser = defineOperation({
  id: 'unlink-sso-user',
  resource: 'sso',
  summary: 'Unlink the signed-in fan',
  description: `Removes the link of the user of the X-SSO-Token. The next request of the user for orders, tickets or memberships is a 403.
Unlinking a user who is not linked changes nothing. The customer and its orders stay as they are.`,
  method: 'DELETE',
  paths: ['/v1/sso/link'],
  auth: {
    kind: 'metered',
    scope: 'sso',
    ssoUser: 'signed_in',
    storefront: { sees: 'the link of the signed-in fan' },
  },
  output: { schema: SsoLink },
  effects: { access: [ssoAccess.findSignedInUser, ssoDataAccess.removeLink], cannotBeUndone: false },
});
