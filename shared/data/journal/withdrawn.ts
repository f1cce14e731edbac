import { sumOf } from '../../domain/money.ts';
import type { Table } from '../table/table.ts';
import { entriesOfOrder } from './read.ts';

/**
 * Whether a bank has withdrawn money of one of these orders, or of their instalments, and has not returned it. The index shows an entry
 * within milliseconds as a rule; a bank that withdraws a little later cannot be seen at all.
 */
export async function isMoneyWithdrawn(table: Table, orgId: string, orderIds: Iterable<number>): Promise<boolean> {
  const entries = await Promise.all([...orderIds].map((orderId) => entriesOfOrder(table, orgId, orderId)));
  return entries.some((ofOrder) => sumOf(ofOrder.map(({ money }) => money.disputes ?? 0)) > 0);
}
