import { type CustomerRecord, customerLimits, emailIdentity } from '../../domain/customers/customer.ts';
import { customerAtAddress, type Names, nameIdentity } from '../../domain/customers/shared-address.ts';
import { emailSortPrefix } from '../../domain/customers/sort.ts';
import { personHash } from '../table/hash-key.ts';
import { customerViewPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { addressKey, addressRange } from './items.ts';
import { findHolder, readCustomer } from './read.ts';
import { parseCustomer } from './row.ts';

/** Few customers share an address, so one page nearly always has all of them. It is at most one read unit. */
const pageSize = 10;

export interface Buyer extends Names {
  readonly emailAddress: string;
}

/**
 * Returns the customer that an order of this buyer belongs to: the oldest with the address and the names, otherwise the oldest
 * with the address. One read finds both if few customers share the address. If many do, the one with the names is looked up.
 */
export async function findCustomerOfBuyer(
  table: Table,
  orgId: string,
  buyer: Buyer,
): Promise<CustomerRecord | undefined> {
  const { emailAddress } = buyer;
  if (isTooLong(emailAddress)) return undefined;
  const isProven = (customer: CustomerRecord): boolean =>
    hasAddress(customer, emailAddress) && !customer.isAddressUnproven;
  const sharing: CustomerRecord[] = [];
  let hasAll = false;
  for await (const page of sharingPages(table, orgId, emailAddress, pageSize)) {
    sharing.push(...page.filter(isProven));
    hasAll = page.length < pageSize;
    if (sharing.length > 0) break;
  }
  const named = hasAll ? [] : await customersNamed(table, orgId, buyer);
  const oldestFirst = [...sharing, ...named].sort((one, other) => one.userId - other.userId);
  return customerAtAddress(oldestFirst, nameIdentity(buyer));
}

/** The oldest customer with the address and the names, and the one that owns the address, whatever its names are. */
async function customersNamed(table: Table, orgId: string, buyer: Buyer): Promise<readonly CustomerRecord[]> {
  const { pk, prefix } = addressRange(orgId, buyer, await personHash(table));
  const [named, owner] = await Promise.all([
    firstProven(viewPages(table, { pk, prefix, limit: pageSize })),
    ownerOfAddress(table, orgId, buyer.emailAddress),
  ]);
  return [named, owner].filter((customer) => customer !== undefined);
}

async function ownerOfAddress(table: Table, orgId: string, emailAddress: string): Promise<CustomerRecord | undefined> {
  const consistent = { consistent: true };
  const key = addressKey(orgId, emailAddress, await personHash(table));
  const userId = await findHolder(table, key, consistent);
  const customer = userId === undefined ? undefined : await readCustomer(table, orgId, userId, consistent);
  // It may have left the address between the two reads.
  return customer?.ownsAddress === true && hasAddress(customer, emailAddress) ? customer : undefined;
}

/** All customers with this email address, the oldest first. */
export async function* customersWithEmail(
  table: Table,
  orgId: string,
  emailAddress: string,
): AsyncGenerator<CustomerRecord> {
  if (isTooLong(emailAddress)) return;
  for await (const page of sharingPages(table, orgId, emailAddress)) {
    yield* page.filter((customer) => hasAddress(customer, emailAddress));
  }
}

/** The sort order ignores accents and the end of a very long address, which make another address. */
function sharingPages(table: Table, orgId: string, emailAddress: string, limit?: number) {
  return viewPages(table, { pk: customerViewPartition(orgId, 'email'), prefix: emailSortPrefix(emailAddress), limit });
}

const hasAddress = ({ emailAddress: own }: CustomerRecord, emailAddress: string): boolean =>
  own !== null && emailIdentity(own) === emailIdentity(emailAddress);

/** DynamoDB limits the length of keys. */
function isTooLong(emailAddress: string): boolean {
  return emailIdentity(emailAddress).length > customerLimits.emailAddress;
}

interface ViewRange {
  readonly pk: string;
  readonly prefix: string;
  readonly limit?: number | undefined;
}

async function* viewPages(table: Table, { pk, prefix, limit }: ViewRange): AsyncGenerator<readonly CustomerRecord[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    ConsistentRead: true,
    ...(limit !== undefined && { Limit: limit }),
  });
  for await (const items of pages) yield items.map(parseCustomer);
}

async function firstProven(pages: AsyncIterable<readonly CustomerRecord[]>): Promise<CustomerRecord | undefined> {
  for await (const customers of pages) {
    const proven = customers.find(({ isAddressUnproven }) => !isAddressUnproven);
    if (proven !== undefined) return proven;
  }
  return undefined;
}
