import { eventsAccess } from '../../data/events/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { plansAccess } from '../../data/plans/access.ts';
import { defineOperation } from '../operation.ts';
import { LinkedOrder } from '../schemas/linked-order.ts';
import { orderPath } from './order-path.ts';

export const retrieveOrder = defineOperation({
  id: 'retrieve-order',
  resource: 'orders',
  summary: 'Retrieve an order',
  description:
    'Returns an order with all its tickets and their current status. A new order and a refund are visible at once.',
  method: 'GET',
  paths: ['/v1/orders/{order_id}'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: orderPath },
  output: {
    schema: LinkedOrder,
    links: [
      { to: 'refund-order', params: { order_id: '$request.path.order_id' } },
      { to: 'cancel-order', params: { order_id: '$request.path.order_id' } },
    ],
  },
  effects: {
    access: [
      ordersAccess.findOrderRef,
      ordersAccess.readOrderAt,
      eventsAccess.readEvent,
      organisationsAccess.readOrganisation,
      plansAccess.readPlans,
    ],
    secrets: ['links'],
  },
});
