import { membersOfCustomer } from '../../../shared/data/members/of-customer.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ssoMembershipResource } from '../../../shared/mappers/sso.ts';
import { listSsoMemberships } from '../../../shared/operations/sso/list-sso-memberships.ts';

export const handle: Handle<typeof listSsoMemberships> = async (_input, deps) => {
  const { orgId, userId } = await authenticateFan(deps);
  const members = await membersOfCustomer(deps.table, orgId, userId);
  return { object: 'sso_memberships' as const, data: members.map(ssoMembershipResource) };
};

export const handler = pipeline(listSsoMemberships, handle);
