import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { ordersPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Whether the event has any order, whatever became of it. */
export async function hasOrders(table: Table, orgId: string, eventId: number): Promise<boolean> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': ordersPartition(orgId, eventId) },
      ProjectionExpression: 'sold',
      ConsistentRead: true,
      Limit: 1,
    }),
  );
  return Items.length > 0;
}
