import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { customersWithEmail } from '../../shared/data/customers/by-email.ts';
import { customerItems } from '../../shared/data/customers/items.ts';
import { customerPositions } from '../../shared/data/customers/positions.ts';
import { type CustomerDraft, saveCustomer } from '../../shared/data/customers/save.ts';
import type { ItemKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { creationChange, removalChange } from './position-trees.ts';

export const someSecond = Date.UTC(2026, 5, 1) / 1000;

/** A customer, saved as the service saves one. */
export async function givenCustomer(table: Table, orgId: string, draft: CustomerDraft = {}): Promise<CustomerRecord> {
  const saved = await saveCustomer(table, orgId, draft, someSecond);
  if (saved.outcome !== 'created') throw new Error(`The customer was not created: ${saved.outcome}`);
  return saved.customer;
}

/** The customers with an email address, the oldest first. */
export async function customersAt(table: Table, orgId: string, emailAddress: string): Promise<CustomerRecord[]> {
  const found: CustomerRecord[] = [];
  for await (const customer of customersWithEmail(table, orgId, emailAddress)) found.push(customer);
  return found;
}

let customers = 0;

/** A customer without personal data; a test sets what it needs. */
export function aCustomer(changes: Partial<CustomerRecord> & { addedUnix?: number } = {}): CustomerRecord {
  const { addedUnix = someSecond, ...fields } = changes;
  customers += 1;
  const userId = fields.userId ?? idOf(addedUnix, customers);
  return {
    orgCustomerId: String(userId),
    firstName: null,
    lastName: null,
    emailAddress: null,
    mobileNumber: null,
    postcode: null,
    marketingEmails: false,
    newEventNotifications: false,
    updatedUnix: null,
    claimsAddress: false,
    isAddressUnproven: false,
    version: 1,
    ...fields,
    userId,
  };
}

/** Writes customers directly in batches: thousands of transactions would take minutes. */
export async function givenCustomers(
  table: Table,
  orgId: string,
  customers: readonly CustomerRecord[],
): Promise<readonly CustomerRecord[]> {
  const items = customers.flatMap((customer) => [
    ...customerItems(orgId, customer),
    ...creationChange(orgId, 'customers', customer.userId, customerPositions(customer)),
  ]);
  await writeAll(
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
  return customers;
}

/** Deletes the items of a customer, as erasing does. */
export async function removeCustomer(table: Table, orgId: string, customer: CustomerRecord): Promise<void> {
  const keys = customerItems(orgId, customer).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  const change = removalChange(orgId, 'customers', customer.userId, customerPositions(customer));
  await writeAll(table, [...keys, ...change.map((Item) => ({ PutRequest: { Item } }))]);
}

type WriteRequest = { PutRequest: { Item: ItemKey } } | { DeleteRequest: { Key: ItemKey } };

async function writeAll(table: Table, requests: readonly WriteRequest[]): Promise<void> {
  const size = 25;
  const batches = Array.from({ length: Math.ceil(requests.length / size) }, (_, index) =>
    requests.slice(index * size, (index + 1) * size),
  );
  const write = async (): Promise<void> => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: batch } }));
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
}

const kinds = /^(CUS|CUV|UNI)#/;

/** Every customer item of an organisation, by a Scan, which only tests may do. */
export async function everyCustomerItem(table: Table, orgId: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ...(start !== undefined && { ExclusiveStartKey: start }) }),
    );
    found.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found.filter(({ pk }) => kinds.test(String(pk)) && String(pk).split('#')[1] === orgId).sort(byKey);
}

/** The items that these customers, and no others, must have. */
export function itemsOf(orgId: string, customers: readonly CustomerRecord[]): Record<string, unknown>[] {
  return customers.flatMap((customer) => customerItems(orgId, customer)).sort(byKey);
}

const keyText = ({ pk, sk }: Record<string, unknown>): string => JSON.stringify([pk, sk]);
const byKey = (one: Record<string, unknown>, other: Record<string, unknown>): number =>
  keyText(one) < keyText(other) ? -1 : 1;
