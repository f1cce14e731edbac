import { memberKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The condition that a member belongs to this customer, for a transaction that begins to charge the customer's card. */
export function ownerCheck(table: Table, orgId: string, memberId: number, userId: number): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: memberKey(orgId, memberId),
      ConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
    },
  };
}

/** The condition that a member has not changed since it was read. */
export function memberCheck(
  table: Table,
  orgId: string,
  { memberId, version }: { readonly memberId: number; readonly version: number },
): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: memberKey(orgId, memberId),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': version },
    },
  };
}
