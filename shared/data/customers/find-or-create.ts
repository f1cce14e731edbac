import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { Contended } from '../table/failures.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { findCustomerByEmail } from './read.ts';
import { saveCustomer } from './save.ts';

export interface Buyer {
  readonly emailAddress: string;
  readonly firstName: string;
  readonly lastName: string;
}

interface Creation {
  readonly nowUnix: number;
  /** A new customer is created on this condition only. */
  readonly condition: TransactItem;
}

const maxAttempts = 5;

/**
 * Returns the customer with the buyer's email address, creating it if it does not exist. An existing customer keeps its
 * names. Concurrent and repeated calls with the same address return the same customer. Undefined if the condition failed.
 */
export async function findOrCreateCustomer(
  table: Table,
  orgId: string,
  buyer: Buyer,
  { nowUnix, condition }: Creation,
): Promise<CustomerRecord | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const known = await findCustomerByEmail(table, orgId, buyer.emailAddress);
    if (known !== undefined) return known;
    const { emailAddress, firstName, lastName } = buyer;
    const saved = await saveCustomer(table, orgId, { emailAddress, firstName, lastName, condition }, nowUnix);
    if (saved.outcome === 'condition_failed') return undefined;
    if ('customer' in saved) return saved.customer;
  }
  throw new Contended(
    'Too many concurrent changes to the customer with an email address. Nothing was changed. Try again.',
  );
}
