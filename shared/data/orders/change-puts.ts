import type { OrderWithTickets } from '../../domain/orders/order.ts';
import { positionChangePut } from '../positions/change.ts';
import type { PersonHash } from '../table/person-hash.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { orderTicketsItem } from './order-tickets-row.ts';
import { orderPositions } from './positions.ts';
import { orderRow } from './row.ts';

interface OrderChange {
  readonly before: OrderWithTickets;
  readonly after: OrderWithTickets;
  readonly hash: PersonHash;
}

/**
 * The writes of a changed order: its row, the item of its tickets and its positions. Only the row needs a condition: that the order has not
 * changed since it was read. A migration leaves the version, and writes when the order last changed; then its positions are others.
 */
export function orderChangePuts(table: Table, orgId: string, { before, after, hash }: OrderChange): TransactItem[] {
  const { orderId: id, version } = after.order;
  const { updatedUnix } = before.order;
  return [
    {
      label: 'order',
      Put: {
        TableName: table.name,
        Item: orderRow(orgId, after, hash),
        ConditionExpression: `v = :v AND ${updatedUnix === undefined ? 'attribute_not_exists(upd)' : 'upd = :upd'}`,
        ExpressionAttributeValues: {
          ':v': before.order.version,
          ...(updatedUnix !== undefined && { ':upd': updatedUnix }),
        },
      },
    },
    { Put: { TableName: table.name, Item: orderTicketsItem(orgId, after, hash) } },
    ...positionChangePut(table, orgId, 'orders', {
      id,
      version,
      before: orderPositions(before.order),
      after: orderPositions(after.order),
    }),
  ];
}
