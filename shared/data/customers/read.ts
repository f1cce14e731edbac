import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type CustomerRecord, customerLimits } from '../../domain/customers/customer.ts';
import { parseId } from '../../domain/ids.ts';
import { customerKey, type ItemKey } from '../table/keys.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import { customerIdKey, isGeneratedId } from './items.ts';
import { parseCustomer } from './row.ts';

export async function readCustomer(
  table: Table,
  orgId: string,
  userId: number,
  { consistent = false }: ReadOptions = {},
): Promise<CustomerRecord | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: customerKey(orgId, userId), ConsistentRead: consistent }),
  );
  return Item === undefined ? undefined : parseCustomer(Item);
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

export async function findHolder(
  table: Table,
  key: ItemKey,
  { consistent = false }: ReadOptions = {},
): Promise<number | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: consistent }),
  );
  return Item === undefined ? undefined : v.parse(Holder, Item).id;
}
