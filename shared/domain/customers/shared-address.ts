import { fold } from '../search/text.ts';
import type { CustomerRecord } from './customer.ts';

/** A first and a last name. */
export type Names = Pick<CustomerRecord, 'firstName' | 'lastName'>;

/** The names in the form in which they are compared: case, accents and spaces do not count. */
export function nameIdentity({ firstName, lastName }: Names): string {
  return fold(`${firstName ?? ''} ${lastName ?? ''}`)
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

/**
 * Several customers, such as a family, may share an email address. Returns the one that an order with this address belongs
 * to: the oldest with the same names, otherwise the oldest. `sharing` are all customers with the address, the oldest first.
 */
export function customerAtAddress<Customer extends Names>(
  sharing: readonly Customer[],
  names: string,
): Customer | undefined {
  return sharing.find((customer) => nameIdentity(customer) === names) ?? sharing[0];
}
