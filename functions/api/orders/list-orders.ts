import { listAllOrders } from '../../../shared/data/orders/list-all.ts';
import { listChangedOrders } from '../../../shared/data/orders/list-changed.ts';
import { readPlans } from '../../../shared/data/plans/plans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { readOrderLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { orderListing } from '../../../shared/http/handlers/input/order-listing.ts';
import { ordersNotMigrated } from '../../../shared/http/handlers/problems/orders-not-migrated.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { StreamedOutput, serializeList } from '../../../shared/http/streamed-output.ts';
import { inChunks } from '../../../shared/mappers/in-chunks.ts';
import { linkedOrder } from '../../../shared/mappers/order.ts';
import { type ListOrdersQuery, listOrders } from '../../../shared/operations/orders/list-orders.ts';
import { LinkedOrder } from '../../../shared/operations/schemas/linked-order.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listOrders> = async ({ query }, deps) => {
  const { caller, table, baseUrl } = deps;
  const { orgId } = caller;
  const { updated_since: updatedSince } = query;
  const [page, linkOf] = await Promise.all([
    updatedSince === undefined
      ? listAllOrders(table, orderListing(orgId, query))
      : pageByCursor(table, orgId, { ...query, updatedSince }),
    readOrderLinks(deps),
  ]);
  const { orders, hasMore } = page;
  const envelope = {
    object: 'orders',
    url: `${baseUrl}/v1/orders`,
    has_more: hasMore,
    next_cursor: 'nextCursor' in page ? page.nextCursor : null,
    org_id: orgId,
  };
  const plans = await readPlans(
    table,
    orgId,
    orders.flatMap(({ memberships }) => memberships),
  );
  const chunks = inChunks(orders, (listed) => {
    const { order, event } = listed;
    return linkedOrder(listed, { event, plans, link: linkOf(order, event) });
  });
  return new StreamedOutput(serializeList({ envelope, item: LinkedOrder, chunks }));
};

async function pageByCursor(
  table: Table,
  orgId: string,
  { updatedSince, cursor, limit }: ListOrdersQuery & { readonly updatedSince: number },
) {
  const identity = { orgId, operation: listOrders.id, parameters: { updatedSince } };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, cursor);
  const page = await listChangedOrders(table, { orgId, updatedSince, after, limit });
  if ('outcome' in page) throw ordersNotMigrated();
  return { ...page, nextCursor: signListCursor(signedList, page.next) };
}

export const handler = pipeline(listOrders, handle);
