import { type CustomerRecord, customerLimits, emailIdentity } from '../../domain/customers/customer.ts';
import { customerAtAddress, type Names, nameIdentity } from '../../domain/customers/shared-address.ts';
import { emailSortPrefix } from '../../domain/customers/sort.ts';
import { customerViewPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { addressRange } from './items.ts';
import { parseCustomer } from './row.ts';

export interface Buyer extends Names {
  readonly emailAddress: string;
}

/**
 * Returns the customer that an order of this buyer belongs to: the oldest with the address and the names, otherwise the oldest
 * with the address. Both are looked up at the same time: one read each, however many customers share the address.
 */
export async function findCustomerOfBuyer(
  table: Table,
  orgId: string,
  buyer: Buyer,
): Promise<CustomerRecord | undefined> {
  const { emailAddress } = buyer;
  const [named, oldest] = await Promise.all([
    firstOf(customersNamed(table, orgId, buyer)),
    firstOf(customersWithEmail(table, orgId, emailAddress, 1)),
  ]);
  return customerAtAddress(
    [named, oldest].filter((customer) => customer !== undefined),
    nameIdentity(buyer),
  );
}

async function* customersNamed(table: Table, orgId: string, buyer: Buyer): AsyncGenerator<CustomerRecord> {
  if (isTooLong(buyer.emailAddress)) return;
  const { pk, prefix } = addressRange(orgId, buyer.emailAddress, nameIdentity(buyer));
  yield* customersIn(table, { pk, prefix, limit: 1 });
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

async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}
