import { readOverdueOrders } from '../../../shared/data/orders/overdue.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { overdueOrder } from '../../../shared/mappers/order.ts';
import { listOverdueOrders } from '../../../shared/operations/orders/list-overdue-orders.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listOverdueOrders> = async ({ query }, { caller, table, clock, baseUrl }) => {
  const { orgId } = caller;
  const signedList = { key: await cursorKey(), list: { orgId, operation: listOverdueOrders.id, parameters: {} } };
  const after = verifyListCursor(signedList, query.cursor);
  const listing = { after, limit: query.limit, nowUnix: unixSeconds(clock) };
  const { orders, next } = await readOverdueOrders(table, orgId, listing);
  return {
    object: 'overdue_orders',
    url: `${baseUrl}/v1/orders/overdue`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: orders.map(overdueOrder),
  };
};

export const handler = pipeline(listOverdueOrders, handle);
