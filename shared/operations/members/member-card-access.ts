import { membersAccess } from '../../data/members/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { ssoAccess } from '../../sso/access.ts';

/** What finds a member for the card, for an API key or for the fan. */
export const memberCardAccess = [
  ssoAccess.findSignedInUser,
  membersAccess.readMember,
  organisationsAccess.readOrganisation,
];
