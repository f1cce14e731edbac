import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type CustomerRecord, emailIdentity } from '../../domain/customers/customer.ts';
import { getItem } from '../table/get-item.ts';
import { formerAddressesKey } from '../table/person-keys.ts';
import { row } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

const Stored = row({ addresses: v.array(v.string()) });
const none = { addresses: [] };

/** Nobody has had more of them. The newest lead to what is not deleted yet. */
const maxAddresses = 20;

/**
 * The email addresses that a customer had before, the oldest first: what was written under them without a customer, such as an entry of a
 * waiting list, is still theirs.
 */
export async function readFormerAddresses(table: Table, orgId: string, userId: number): Promise<readonly string[]> {
  return (await readStored(table, orgId, userId)).addresses;
}

async function readStored(table: Table, orgId: string, userId: number) {
  const item = await getItem(table, formerAddressesKey(orgId, userId), { consistent: true });
  return item === undefined ? none : v.parse(Stored, item);
}

/**
 * The item that remembers the address that a customer leaves. The row of the customer is in the same transaction and has a condition, so
 * this one needs none. Nothing proves that an unproven address was the customer's.
 */
export async function formerAddressPuts(
  table: Table,
  orgId: string,
  { before, after }: { readonly before: CustomerRecord | undefined; readonly after: CustomerRecord },
): Promise<TransactItem[]> {
  const left = before?.isAddressUnproven === false ? before.emailAddress : null;
  if (left === null || emailIdentity(left) === emailIdentity(after.emailAddress ?? '')) return [];
  const stored = await readStored(table, orgId, after.userId);
  const others = stored.addresses.filter((address) => emailIdentity(address) !== emailIdentity(left));
  const addresses = [...others, left].slice(-maxAddresses);
  const Item = { ...stored, ...formerAddressesKey(orgId, after.userId), addresses };
  return [{ Put: { TableName: table.name, Item } }];
}

export async function forgetFormerAddresses(table: Table, orgId: string, userId: number): Promise<void> {
  const Key = formerAddressesKey(orgId, userId);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
}
