import * as v from 'valibot';
import { getItem } from '../table/get-item.ts';
import { savedCustomerKey, savedCustomersPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** A customer at the payment provider. It keeps the payment methods that were saved. */
export interface SavedCustomer {
  readonly userId: number;
  readonly provider: string;
  /** Null for the sandbox. */
  readonly account: string | null;
  /** The provider's reference. */
  readonly customer: string;
}

const Stored = v.object({
  userId: v.number(),
  provider: v.string(),
  account: v.nullable(v.string()),
  customer: v.string(),
});

const keyOf = (orgId: string, { userId, account }: Pick<SavedCustomer, 'userId' | 'account'>) =>
  savedCustomerKey(orgId, userId, account ?? 'none');

export async function readSavedCustomer(
  table: Table,
  orgId: string,
  of: Pick<SavedCustomer, 'userId' | 'account'>,
): Promise<SavedCustomer | undefined> {
  const item = await getItem(table, keyOf(orgId, of), { consistent: true });
  return item === undefined ? undefined : v.parse(Stored, item);
}

/** Of two purchases at the same time, the customer of the last one is used from then on. */
export function savedCustomerPut(table: Table, orgId: string, saved: SavedCustomer): TransactItem {
  return { Put: { TableName: table.name, Item: { ...keyOf(orgId, saved), ...saved } } };
}

export async function savedCustomersOf(table: Table, orgId: string, userId: number): Promise<readonly SavedCustomer[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': savedCustomersPartition(orgId, userId) },
    ConsistentRead: true,
  });
  return items.map((item) => v.parse(Stored, item));
}
