import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { getItem } from '../table/get-item.ts';
import { sequenceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const CountItem = v.object({ members: v.optional(v.number(), 0) });

/**
 * Returns the approximate number of members: exact enough to decide, before the first byte, whether all of them fit into one
 * response. It is not part of the members' transactions, so the writes of an import do not conflict on one item.
 */
export async function approximateMemberCount(table: Table, orgId: string): Promise<number> {
  const item = await getItem(table, sequenceKey(orgId));
  return item === undefined ? 0 : v.parse(CountItem, item).members;
}

export async function addToMemberCount(table: Table, orgId: string, created: number): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: sequenceKey(orgId),
      UpdateExpression: 'ADD members :created',
      ExpressionAttributeValues: { ':created': created },
    }),
  );
}
