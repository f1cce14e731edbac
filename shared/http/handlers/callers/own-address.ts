import { readCustomer } from '../../../data/customers/read.ts';
import { personAddress } from '../../../domain/customers/person-address.ts';
import type { SignedInUser } from './authenticate-fan.ts';
import type { FanRequest } from './sale-context.ts';

/**
 * Whether an address is known to be that of the linked fan: the customer has it, or the identity provider has verified it. One that
 * the fan only typed at a checkout may be anybody's.
 */
export async function isOwnAddress(
  { table, caller }: FanRequest,
  { user, link }: SignedInUser,
  emailAddress: string,
): Promise<boolean> {
  if (link === undefined) return false;
  const customer = await readCustomer(table, caller.orgId, link.userId);
  const isSame = (own: string | null | undefined): boolean =>
    own != null && personAddress(own) === personAddress(emailAddress);
  const isKnown = customer !== undefined && !customer.isAddressUnproven && isSame(customer.emailAddress);
  return isKnown || isSame(user.verifiedEmail);
}
