import { findOrderRef } from '../../../data/orders/read.ts';
import type { OrderRef } from '../../../data/orders/row.ts';
import type { Table } from '../../../data/table/table.ts';
import { notFound } from '../../problem.ts';

/** Finds the order of a path by its id or UUID. A malformed id, a missing order and another organisation's order are the same 404. */
export async function requireOrder(table: Table, orgId: string, idOrUuid: string): Promise<OrderRef> {
  const ref = await findOrderRef(table, orgId, idOrUuid);
  if (ref === undefined) throw notFound('order');
  return ref;
}
