import { findCustomer, readCustomer } from '../../../shared/data/customers/read.ts';
import { findCustomerWithVerifiedAddress } from '../../../shared/data/customers/with-verified-address.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { canBeLinked, type SsoUser } from '../../../shared/domain/sso/provider.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/authenticate-fan.ts';
import { logLinkChange } from '../../../shared/http/handlers/log-link-change.ts';
import { type Handle, type Input, pipeline } from '../../../shared/http/pipeline.ts';
import { problem, referenceMissing } from '../../../shared/http/problem.ts';
import { ssoLinkResource } from '../../../shared/mappers/sso.ts';
import { linkSsoUser } from '../../../shared/operations/sso/link-sso-user.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

type Body = Input<typeof linkSsoUser>['body'];

export const link: Handle<typeof linkSsoUser> = async ({ body }, deps) => {
  const { caller, table, clock } = deps;
  const { orgId } = caller;
  checkBody(body, caller.kind);
  const { user, link: existing } = await authenticateSsoUser(deps);
  if (!canBeLinked(user)) throw notLinkable();
  // A page calls this whenever a fan signs in. Only the organisation says who a fan is that is already linked.
  if (existing !== undefined && caller.kind === 'storefront') return ssoLinkResource(user, existing);
  const userId =
    caller.kind === 'storefront' ? await customerOfUser(table, orgId, user) : await namedCustomer(table, orgId, body);
  const { issuer, subject } = user;
  const saved = await saveLink(table, orgId, { issuer, subject, userId, linkedUnix: unixSeconds(clock) });
  if (saved.outcome === 'linked_elsewhere') {
    if (caller.kind !== 'storefront') throw linkedElsewhere();
    return ssoLinkResource(user, saved.link);
  }
  if (saved.outcome === 'linked') logLinkChange('linked', caller, user, userId);
  return ssoLinkResource(user, saved.link);
};

/** Only the server of the organisation names a customer: everyone can read a storefront token. */
function checkBody({ user_id, org_customer_id }: Body, caller: string): void {
  const [given, ...others] = Object.entries({ user_id, org_customer_id }).filter(([, value]) => value !== null);
  if (caller === 'storefront') {
    if (given === undefined) return;
    const message = `The parameter ${given[0]} needs an API key. A storefront token links by the verified email address of the fan.`;
    throw problem('parameter_unknown', message, { param: given[0] });
  }
  if (given === undefined) {
    throw problem('parameter_missing', 'Send user_id or org_customer_id: the customer to link to.', {
      param: 'user_id',
    });
  }
  if (others.length > 0) {
    throw problem('parameter_conflict', 'Send either user_id or org_customer_id, not both.', {
      param: 'org_customer_id',
    });
  }
}

async function namedCustomer(table: Table, orgId: string, { user_id, org_customer_id }: Body): Promise<number> {
  const options = { consistent: true };
  if (org_customer_id !== null) {
    const customer = await findCustomer(table, orgId, org_customer_id, options);
    if (customer === undefined) throw referenceMissing('customer', 'org_customer_id');
    return customer.userId;
  }
  const userId = parseId(String(user_id));
  const customer = userId === undefined ? undefined : await readCustomer(table, orgId, userId, options);
  if (customer === undefined) throw referenceMissing('customer', 'user_id');
  return customer.userId;
}

async function customerOfUser(table: Table, orgId: string, { verifiedEmail }: SsoUser): Promise<number> {
  if (verifiedEmail === null) {
    throw problem(
      'sso_email_not_verified',
      'The token has no email address that is verified by a trusted identity provider. Link the fan from your server, with an API key.',
    );
  }
  const found = await findCustomerWithVerifiedAddress(table, orgId, verifiedEmail);
  switch (found.outcome) {
    case 'found':
      return found.customer.userId;
    case 'missing':
      throw problem('sso_customer_missing', 'No customer has the email address of the fan.');
    case 'ambiguous':
      throw problem(
        'sso_link_ambiguous',
        'Several customers have the email address of the fan. Link the fan from your server, with an API key.',
      );
  }
}

function linkedElsewhere() {
  return problem('sso_already_linked', 'This SSO user is linked to another customer. Unlink the user first.');
}

function notLinkable() {
  const message = 'The issuer or the subject of the token is longer than 255 characters, so its user cannot be linked.';
  return problem('parameter_invalid', message, { param: 'X-SSO-Token' });
}

export const handler = pipeline(linkSsoUser, link);
