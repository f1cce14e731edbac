import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { type Buyer, findCustomerOfBuyer } from './by-email.ts';
import { newCustomer, saveCustomer } from './save.ts';
import { customerWrites } from './write.ts';

interface Creation {
  readonly nowUnix: number;
  /** The transaction that creates a new customer contains these items, such as conditions. */
  readonly callerItems: (customer: CustomerRecord) => readonly TransactItem[];
  /** Whether the order is that of a signed-in fan who has not proved the address. */
  readonly isAddressUnproven: boolean;
  /** Whether the buyer agreed to marketing by email. An existing customer keeps what it has. */
  readonly marketingEmails?: boolean | undefined;
}

/** A customer, and the writes that create it if it is new. */
export interface CustomerOfBuyer {
  readonly customer: CustomerRecord;
  readonly writes: readonly TransactItem[];
}

/**
 * A new customer for a buyer whose address no customer has, to be created in the transaction of the buyer's first order. The
 * transaction is refused if another one has created a customer for the address meanwhile.
 */
export async function newCustomerOf(
  table: Table,
  orgId: string,
  buyer: Buyer,
  nowUnix: number,
): Promise<CustomerOfBuyer> {
  const { emailAddress, firstName, lastName } = buyer;
  const customer = newCustomer({ emailAddress, firstName, lastName, ownsAddress: true }, nowUnix);
  return { customer, writes: await customerWrites(table, orgId, { before: undefined, after: customer }) };
}

/**
 * Returns the customer that the buyer's order belongs to, creating it if no customer has the email address. An existing
 * customer keeps its names. Concurrent first calls with a new address return the same customer. Undefined if one of the
 * caller's items was refused.
 */
export async function findOrCreateCustomer(
  table: Table,
  orgId: string,
  buyer: Buyer,
  { nowUnix, callerItems, isAddressUnproven, marketingEmails }: Creation,
): Promise<CustomerRecord | undefined> {
  const { customer } = await retryRaces('customer with an email address', async () => {
    const known = await findCustomerOfBuyer(table, orgId, buyer);
    if (known !== undefined) return { customer: known };
    const { emailAddress, firstName, lastName } = buyer;
    const draft = { emailAddress, firstName, lastName, marketingEmails, ownsAddress: !isAddressUnproven };
    const saved = await saveCustomer(table, orgId, { ...draft, isAddressUnproven, callerItems }, nowUnix);
    if (saved.outcome === 'caller_refused') return { customer: undefined };
    return 'customer' in saved ? { customer: saved.customer } : undefined;
  });
  return customer;
}
