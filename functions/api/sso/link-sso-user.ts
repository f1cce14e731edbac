import { saveLink } from '../../../shared/data/sso/links.ts';
import { canBeLinked } from '../../../shared/domain/sso/provider.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import {
  checkNamedCustomer,
  namedCustomer,
  verifiedCustomer,
} from '../../../shared/http/handlers/callers/customer-to-link.ts';
import { logLinkChange } from '../../../shared/http/handlers/callers/log-link-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { ssoLinkResource } from '../../../shared/mappers/sso.ts';
import { linkSsoUser } from '../../../shared/operations/sso/link-sso-user.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof linkSsoUser> = async ({ body }, deps) => {
  const { caller, table, clock } = deps;
  const { orgId } = caller;
  checkNamedCustomer(body, caller.kind);
  const { user, link: existing } = await authenticateSsoUser(deps);
  if (!canBeLinked(user)) throw notLinkable();
  // A page calls this whenever a fan signs in. Only the organisation says who a fan is that is already linked.
  if (existing !== undefined && caller.kind === 'storefront') return ssoLinkResource(user, existing);
  const userId =
    caller.kind === 'storefront' ? await verifiedCustomer(table, orgId, user) : await namedCustomer(table, orgId, body);
  const { issuer, subject } = user;
  const saved = await saveLink(table, orgId, { issuer, subject, userId, linkedUnix: unixSeconds(clock) });
  if (saved.outcome === 'linked_elsewhere') {
    if (caller.kind !== 'storefront') throw linkedElsewhere();
    return ssoLinkResource(user, saved.link);
  }
  if (saved.outcome === 'linked') logLinkChange('linked', caller, user, userId);
  return ssoLinkResource(user, saved.link);
};

function linkedElsewhere() {
  return problem('sso_already_linked', 'This SSO user is linked to another customer. Unlink the user first.');
}

function notLinkable() {
  const message = 'The issuer or the subject of the token is longer than 255 characters, so its user cannot be linked.';
  return problem('parameter_invalid', message, { param: 'X-SSO-Token' });
}

export const handler = pipeline(linkSsoUser, handle);
