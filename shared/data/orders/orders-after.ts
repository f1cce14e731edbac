import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { OrderRecord } from '../../domain/orders/order.ts';
import { ordersPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseOrder } from './row.ts';

/** The next orders of an event after a sort key, the oldest first, as they are now. */
export async function ordersAfter(
  table: Table,
  { orgId, eventId }: { readonly orgId: string; readonly eventId: number },
  after: string,
  limit: number,
): Promise<readonly OrderRecord[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': ordersPartition(orgId, eventId), ':after': after === '' ? '0' : after },
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return Items.map(parseOrder);
}
