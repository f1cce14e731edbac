import * as v from 'valibot';
import { eventsAccess } from '../../data/events/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { eventListOf } from '../schemas/list-envelope.ts';
import { numberedPages } from '../schemas/numbered-pages.ts';
import { Order, OrderStatus } from '../schemas/order.ts';
import { orderSearch } from '../schemas/order-search.ts';
import { eventPath } from './event-path.ts';
import { timeRangeOf } from './time-range.ts';

export const listEventOrders = defineOperation({
  id: 'list-event-orders',
  resource: 'events',
  summary: 'List the orders of an event',
  description: `Returns the orders of the event, oldest first, page by page. You can combine all filters. Pages are counted in
the list as it is at the time of the request. The orders are without their tickets: see list-orders or retrieve-order.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/orders'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    params: eventPath,
    query: v.strictObject({
      ...numberedPages('orders', { most: 100, usual: 20 }),
      order_status: v.optional(field(OrderStatus, 'Only return orders with this status.')),
      search: v.optional(orderSearch),
      ...timeRangeOf('Only return orders placed'),
    }),
  },
  output: { schema: eventListOf('orders', Order) },
  effects: { access: [eventsAccess.readEvent, ordersAccess.listOrders] },
});
