import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { isSameVerifiedAddress } from '../../domain/sso/provider.ts';
import type { Table } from '../table/table.ts';
import { customersWithEmail } from './by-email.ts';

export type CustomerWithAddress =
  | { readonly outcome: 'found'; readonly customer: CustomerRecord }
  | { readonly outcome: 'missing' | 'ambiguous' };

/** Finds the customer with an address that an identity provider has verified. If two have it, nobody can say which one is meant. */
export async function findCustomerWithVerifiedAddress(
  table: Table,
  orgId: string,
  emailAddress: string,
): Promise<CustomerWithAddress> {
  const found: CustomerRecord[] = [];
  for await (const customer of customersWithEmail(table, orgId, emailAddress)) {
    const isOwner = !customer.isAddressUnproven && isSameVerifiedAddress(emailAddress, customer.emailAddress);
    if (isOwner) found.push(customer);
    if (found.length > 1) return { outcome: 'ambiguous' };
  }
  const [customer] = found;
  return customer === undefined ? { outcome: 'missing' } : { outcome: 'found', customer };
}
