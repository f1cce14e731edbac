import { parseId } from '../../domain/ids.ts';
import { refundRequestKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

const keptSeconds = 86_400;

/**
 * Makes the stream tell a worker of a recorded refund. The refund itself is in the basket, whose hint leads the sweeper to it if
 * this item does not.
 */
export function refundRequestPut(
  table: Table,
  orgId: string,
  { orderId, number, nowUnix }: { readonly orderId: number; readonly number: number; readonly nowUnix: number },
): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...refundRequestKey(orgId, orderId, number), ttl: nowUnix + keptSeconds },
    },
  };
}

/** Returns the order of a request; undefined if the partition key is not that of one. */
export function parseRefundRequest(pk: string): { readonly orgId: string; readonly orderId: number } | undefined {
  const [, orgId = '', order = ''] = pk.split('#');
  const orderId = parseId(order.replace(/^0+/, ''));
  return orderId === undefined ? undefined : { orgId, orderId };
}
