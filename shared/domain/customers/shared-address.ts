import { fold } from '../search/text.ts';
import type { CustomerRecord } from './customer.ts';

/** A first and a last name. */
export type Names = Pick<CustomerRecord, 'firstName' | 'lastName'>;

type Sharing = Names & Pick<CustomerRecord, 'isAddressUnproven'>;

/** The names in the form in which they are compared: case, accents and spaces do not count. */
export function nameIdentity({ firstName, lastName }: Names): string {
  return fold(`${firstName ?? ''} ${lastName ?? ''}`)
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

/**
 * Several customers, such as a family, may share an email address. Returns the one that an order with this address belongs
 * to: the oldest with the same names, otherwise the oldest. `sharing` are all customers with the address, the oldest first. A
 * customer whose address is unproven gets no order by it.
 */
export function customerAtAddress<Customer extends Sharing>(
  sharing: readonly Customer[],
  names: string,
): Customer | undefined {
  const proven = sharing.filter(({ isAddressUnproven }) => !isAddressUnproven);
  return proven.find((customer) => nameIdentity(customer) === names) ?? proven[0];
}
