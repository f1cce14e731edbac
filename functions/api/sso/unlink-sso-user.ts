import { removeLink } from '../../../shared/data/sso/links.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { logLinkChange } from '../../../shared/http/handlers/callers/log-link-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ssoLinkResource } from '../../../shared/mappers/sso.ts';
import { unlinkSsoUser } from '../../../shared/operations/sso/unlink-sso-user.ts';

export const handle: Handle<typeof unlinkSsoUser> = async (_input, deps) => {
  const { caller, table } = deps;
  const { user, link } = await authenticateSsoUser(deps);
  const removed = link && (await removeLink(table, caller.orgId, user));
  if (removed !== undefined) logLinkChange('unlinked', caller, user, removed.userId);
  return ssoLinkResource(user, undefined);
};

export const handler = pipeline(unlinkSsoUser, handle);
