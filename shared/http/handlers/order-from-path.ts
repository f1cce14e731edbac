import { findOrderClaim } from '../../data/orders/read.ts';
import type { OrderClaim } from '../../data/orders/row.ts';
import type { Table } from '../../data/table/table.ts';
import { notFound } from '../problem.ts';

/** Finds the order of a path by its id or UUID. A malformed id, a missing order and another organisation's order are the same 404. */
export async function requireOrder(table: Table, orgId: string, idOrUuid: string): Promise<OrderClaim> {
  const claim = await findOrderClaim(table, orgId, idOrUuid);
  if (claim === undefined) throw notFound('order');
  return claim;
}
