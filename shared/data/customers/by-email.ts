import { type CustomerRecord, customerLimits, emailIdentity } from '../../domain/customers/customer.ts';
import { customerAtAddress, type Names, nameIdentity } from '../../domain/customers/shared-address.ts';
import { emailSortPrefix } from '../../domain/customers/sort.ts';
import { customerViewPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { addressRange } from './items.ts';
import { parseCustomer } from './row.ts';

/** Few customers share an address, so that one page nearly always contains the one that is looked for. */
const pageSize = 10;

export interface Buyer extends Names {
  readonly emailAddress: string;
}

/**
 * Returns the customer that an order of this buyer belongs to: the oldest with the address and the names, otherwise the oldest
 * with the address. Both are looked up at the same time, with one read each if the first customers found have a proven address.
 */
export async function findCustomerOfBuyer(
  table: Table,
  orgId: string,
  buyer: Buyer,
): Promise<CustomerRecord | undefined> {
  const { emailAddress } = buyer;
  const [named, oldest] = await Promise.all([
    firstProven(customersNamed(table, orgId, buyer)),
    firstProven(customersWithEmail(table, orgId, emailAddress, pageSize)),
  ]);
  return customerAtAddress(
    [named, oldest].filter((customer) => customer !== undefined),
    nameIdentity(buyer),
  );
}

async function* customersNamed(table: Table, orgId: string, buyer: Buyer): AsyncGenerator<CustomerRecord> {
  if (isTooLong(buyer.emailAddress)) return;
  const { pk, prefix } = addressRange(orgId, buyer.emailAddress, nameIdentity(buyer));
  yield* customersIn(table, { pk, prefix, limit: pageSize });
}

/** All customers with this email address, the oldest first. */
export async function* customersWithEmail(
  table: Table,
  orgId: string,
  emailAddress: string,
  limit?: number,
): AsyncGenerator<CustomerRecord> {
  if (isTooLong(emailAddress)) return;
  const prefix = emailSortPrefix(emailAddress);
  const isSame = (other: string | null) => other !== null && emailIdentity(other) === emailIdentity(emailAddress);
  // The sort order ignores accents and the end of a very long address, which make another address.
  for await (const customer of customersIn(table, { pk: customerViewPartition(orgId, 'email'), prefix, limit })) {
    if (isSame(customer.emailAddress)) yield customer;
  }
}

/** DynamoDB limits the length of keys. */
function isTooLong(emailAddress: string): boolean {
  return emailIdentity(emailAddress).length > customerLimits.emailAddress;
}

interface ViewRange {
  readonly pk: string;
  readonly prefix: string;
  readonly limit?: number | undefined;
}

async function* customersIn(table: Table, { pk, prefix, limit }: ViewRange): AsyncGenerator<CustomerRecord> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    ConsistentRead: true,
    ...(limit !== undefined && { Limit: limit }),
  });
  for await (const items of pages) yield* items.map(parseCustomer);
}

async function firstProven(customers: AsyncIterable<CustomerRecord>): Promise<CustomerRecord | undefined> {
  for await (const customer of customers) if (!customer.isAddressUnproven) return customer;
  return undefined;
}
