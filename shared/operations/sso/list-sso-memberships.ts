import { membersAccess } from '../../data/members/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { ssoListOf } from '../schemas/list-envelope.ts';
import { SsoMembership } from '../schemas/sso-membership.ts';

export const listSsoMemberships = defineOperation({
  id: 'list-sso-memberships',
  resource: 'sso',
  summary: 'List the memberships of the signed-in fan',
  description: `Returns all memberships that belong to the fan, oldest first, also unpaid, expired and cancelled ones. A membership belongs to the
fan if its \`user_id\` is that of the fan's customer. The email address of a member does not count.`,
  method: 'GET',
  paths: ['/v1/sso/memberships'],
  auth: { kind: 'metered', scope: 'sso', ssoUser: 'linked', storefront: { sees: 'what belongs to the signed-in fan' } },
  output: { schema: ssoListOf('sso_memberships', SsoMembership) },
  effects: { access: [ssoAccess.findSignedInUser, membersAccess.membersOfCustomer] },
});
