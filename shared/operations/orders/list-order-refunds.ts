import { basketsAccess } from '../../data/baskets/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { OrderRefund } from '../schemas/order-refund.ts';
import { orderPath } from './order-path.ts';

export const listOrderRefunds = defineOperation({
  id: 'list-order-refunds',
  resource: 'orders',
  summary: 'List the refunds of an order',
  description: 'Returns all refunds of the order with their current status, oldest first, in one response.',
  method: 'GET',
  paths: ['/v1/orders/{order_id}/refunds'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: orderPath },
  output: { schema: listOf('refunds', OrderRefund) },
  effects: { access: [ordersAccess.findOrderRef, ordersAccess.readOrderAt, basketsAccess.readBasket] },
});
