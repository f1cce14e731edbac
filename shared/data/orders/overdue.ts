import type { OrderRecord } from '../../domain/orders/order.ts';
import { readIndexPage } from '../lists/index-page.ts';
import type { Table } from '../table/table.ts';
import { owedOrdersPartition, owedSortKey } from './owed-index.ts';
import { parseOrder } from './row.ts';

interface OverdueListing {
  /** The sort key of the last order of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly nowUnix: number;
}

/** Reads the invoices that are due and not paid, the oldest due first. The index shows a change within milliseconds as a rule. */
export async function readOverdueOrders(
  table: Table,
  orgId: string,
  { after, limit, nowUnix }: OverdueListing,
): Promise<{ readonly orders: readonly OrderRecord[]; readonly next: string | undefined }> {
  const { items, hasMore } = await readIndexPage(table, { partition: owedOrdersPartition(orgId), after, limit });
  const owed = items.map(parseOrder);
  const orders = owed.filter(({ tender }) => (tender?.dueUnix ?? nowUnix) < nowUnix);
  const last = orders.at(-1);
  // Those that are due later come after all that are overdue.
  if (!hasMore || last === undefined || orders.length < owed.length) return { orders, next: undefined };
  return { orders, next: owedSortKey({ dueUnix: last.tender?.dueUnix ?? 0, orderId: last.orderId }) };
}
