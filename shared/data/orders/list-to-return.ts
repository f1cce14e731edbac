import type { OrderRecord } from '../../domain/orders/order.ts';
import { readIndexPage } from '../lists/index-page.ts';
import type { Table } from '../table/table.ts';
import { parseOrder } from './row.ts';
import { ordersToReturnPartition, returnSortKey } from './to-return.ts';

interface ReturnListing {
  /** The sort key of the last order of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Reads the orders with money that somebody has to hand over, the oldest refund first. */
export async function readOrdersToReturn(
  table: Table,
  orgId: string,
  { after, limit }: ReturnListing,
): Promise<{ readonly orders: readonly OrderRecord[]; readonly next: string | undefined }> {
  const { items, hasMore } = await readIndexPage(table, { partition: ordersToReturnPartition(orgId), after, limit });
  const orders = items.map(parseOrder);
  const last = orders.at(-1);
  return { orders, next: hasMore && last !== undefined ? returnSortKey(last) : undefined };
}
