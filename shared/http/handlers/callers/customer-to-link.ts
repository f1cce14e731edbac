import { findCustomer, readCustomer } from '../../../data/customers/read.ts';
import { findCustomerWithVerifiedAddress } from '../../../data/customers/with-verified-address.ts';
import type { Table } from '../../../data/table/table.ts';
import { parseId } from '../../../domain/ids.ts';
import type { SsoUser } from '../../../domain/sso/provider.ts';
import type { linkSsoUser } from '../../../operations/sso/link-sso-user.ts';
import type { Input } from '../../pipeline.ts';
import { problem, referenceMissing } from '../../problem.ts';

type Body = Input<typeof linkSsoUser>['body'];

/** Only the server of the organisation names a customer: everyone can read a storefront token. */
export function checkNamedCustomer({ user_id, org_customer_id }: Body, caller: string): void {
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

/** The customer that an API key names. */
export async function namedCustomer(table: Table, orgId: string, { user_id, org_customer_id }: Body): Promise<number> {
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

/** The only customer who has the verified address of the fan. */
export async function verifiedCustomer(table: Table, orgId: string, { verifiedEmail }: SsoUser): Promise<number> {
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
