import { readEvent } from '../../../shared/data/events/read.ts';
import { readOrderAt } from '../../../shared/data/orders/read.ts';
import { readPlans } from '../../../shared/data/plans/plans.ts';
import { readOrderLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { linkedOrder } from '../../../shared/mappers/order.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';

export const handle: Handle<typeof retrieveOrder> = async ({ params }, deps) => {
  const { table, caller } = deps;
  const { orgId } = caller;
  const ref = await requireOrder(table, orgId, params.order_id);
  const [placed, event, linkOf] = await Promise.all([
    readOrderAt(table, orgId, ref),
    readEvent(table, orgId, ref.eventId),
    readOrderLinks(deps),
  ]);
  const plans = await readPlans(table, orgId, placed.memberships);
  return linkedOrder(placed, { event, plans, link: linkOf(placed.order, event) });
};

export const handler = pipeline(retrieveOrder, handle);
