import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { plansAccess } from '../../data/plans/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { field } from '../schemas/fields.ts';

/** The path of the plan by which a member pays. */
export const paymentPlanPath = '/v1/members/{membership_member_id}/payment_plan';

export const memberParams = v.strictObject({
  membership_member_id: field(v.string(), 'The membership_member_id of the member.'),
});

/** A page acts for the fan who owns the membership, and proves it with the fan's token. */
export const ownerOnPage = {
  ssoUser: 'linked_on_pages',
  storefront: { sees: 'the memberships of the signed-in fan' },
} as const;

/** Of operations on the later charges of a membership. */
export const memberProblems = ['membership_not_renewable', 'member_without_customer'] as const;

export const memberPlanAccess = [membersAccess.readMember, plansAccess.readPlan, ssoAccess.findSignedInUser] as const;
