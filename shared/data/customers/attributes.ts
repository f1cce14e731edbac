import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { CustomerAttributes } from '../../domain/customers/attributes.ts';
import { getItem } from '../table/get-item.ts';
import { customerAttributesKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const StoredAttributes = v.object({ attributes: v.record(v.string(), v.number()) });

/** They have a row of their own: the table has several copies of a customer, and none needs them. */
export async function readAttributes(table: Table, orgId: string, userId: number): Promise<CustomerAttributes> {
  const item = await getItem(table, customerAttributesKey(orgId, userId), { consistent: true });
  return item === undefined ? {} : v.parse(StoredAttributes, item).attributes;
}

/** Replaces all attributes of a customer. */
export async function saveAttributes(
  table: Table,
  orgId: string,
  { userId, attributes }: { readonly userId: number; readonly attributes: CustomerAttributes },
): Promise<void> {
  const key = customerAttributesKey(orgId, userId);
  const isEmpty = Object.keys(attributes).length === 0;
  await (isEmpty
    ? table.client.send(new DeleteCommand({ TableName: table.name, Key: key }))
    : table.client.send(new PutCommand({ TableName: table.name, Item: { ...key, attributes } })));
}
