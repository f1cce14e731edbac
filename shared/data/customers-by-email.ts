import type { CustomerRecord } from '../domain/customer-record.ts';
import { findCustomerByEmail } from './customers-read.ts';
import { saveCustomer } from './customers-save.ts';
import { Contended } from './failures.ts';
import type { Table } from './table.ts';

export interface Buyer {
  readonly emailAddress: string;
  readonly firstName: string;
  readonly lastName: string;
}

const mostAttempts = 5;

/**
 * The customer with the buyer's email address: the one there is, with the names it has, or a new one. However many come with
 * the same address at once, and however often, they end at the same customer.
 */
export async function findOrMakeCustomer(
  table: Table,
  orgId: string,
  buyer: Buyer,
  nowUnix: number,
): Promise<CustomerRecord> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const known = await findCustomerByEmail(table, orgId, buyer.emailAddress);
    if (known !== undefined) return known;
    const { emailAddress, firstName, lastName } = buyer;
    const saved = await saveCustomer(table, orgId, { emailAddress, firstName, lastName }, nowUnix);
    if ('customer' in saved) return saved.customer;
  }
  throw new Contended('The customer of an email address is being made and taken away at once.');
}
