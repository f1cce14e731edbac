import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOrderAt } from '../../../shared/data/orders/read.ts';
import { refundsOf } from '../../../shared/domain/baskets/refunds.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { orderRefund } from '../../../shared/mappers/order-refund.ts';
import { listOrderRefunds } from '../../../shared/operations/orders/list-order-refunds.ts';

export const handle: Handle<typeof listOrderRefunds> = async ({ params }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const ref = await requireOrder(table, orgId, params.order_id);
  const [{ order }, basket] = await Promise.all([
    readOrderAt(table, orgId, ref),
    readBasket(table, orgId, ref.orderId),
  ]);
  return {
    object: 'refunds',
    url: `${baseUrl}/v1/orders/${order.orderId}/refunds`,
    has_more: false,
    data: refundsOf(order, basket).map((refund) => orderRefund(order, refund)),
  };
};

export const handler = pipeline(listOrderRefunds, handle);
