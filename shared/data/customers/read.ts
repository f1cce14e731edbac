import * as v from 'valibot';
import { type CustomerRecord, customerLimits } from '../../domain/customers/customer.ts';
import { parseId } from '../../domain/ids.ts';
import { getItem } from '../table/get-item.ts';
import { customerKey, type ItemKey } from '../table/keys.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import { customerIdKey, isGeneratedId } from './items.ts';
import { parseCustomer } from './row.ts';

export async function readCustomer(
  table: Table,
  orgId: string,
  userId: number,
  options: ReadOptions = {},
): Promise<CustomerRecord | undefined> {
  const item = await getItem(table, customerKey(orgId, userId), options);
  return item === undefined ? undefined : parseCustomer(item);
}

/** Returns the customer with this org_customer_id. A longer text than any id is not looked up: DynamoDB limits key lengths. */
export async function findCustomer(
  table: Table,
  orgId: string,
  orgCustomerId: string,
  readOptions: ReadOptions = {},
): Promise<CustomerRecord | undefined> {
  if (orgCustomerId.length > customerLimits.orgCustomerId) return undefined;
  const ownId = isGeneratedId(orgCustomerId) ? parseId(orgCustomerId) : undefined;
  const [own, userId] = await Promise.all([
    ownId === undefined ? undefined : readCustomer(table, orgId, ownId, readOptions),
    findHolder(table, customerIdKey(orgId, orgCustomerId), readOptions),
  ]);
  if (own?.orgCustomerId === orgCustomerId) return own;
  return userId === undefined ? undefined : readCustomer(table, orgId, userId, readOptions);
}

const Holder = v.object({ id: v.number() });

export async function findHolder(table: Table, key: ItemKey, options: ReadOptions = {}): Promise<number | undefined> {
  const item = await getItem(table, key, options);
  return item === undefined ? undefined : v.parse(Holder, item).id;
}
