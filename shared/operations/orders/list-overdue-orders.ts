import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { OverdueOrder } from '../schemas/overdue-order.ts';

export const listOverdueOrders = defineOperation({
  id: 'list-overdue-orders',
  resource: 'orders',
  summary: 'List the invoices that are overdue',
  description: `Returns the orders whose invoice is due and not paid, the oldest due first. An order is never cancelled because of it. The list comes from an index, which
shows a payment shortly after it is recorded, usually within milliseconds.`,
  method: 'GET',
  paths: ['/v1/orders/overdue'],
  auth: { kind: 'metered', scope: 'finance' },
  input: {
    query: v.strictObject({
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
          'The maximum number of orders per page.',
        ),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: {
    schema: cursorListOf('overdue_orders', OverdueOrder),
    problems: ['cursor_invalid'],
    links: [{ to: 'record-order-payment', params: { order_id: '$response.body#/data/0/order_id' } }],
  },
  effects: { access: [ordersAccess.readOverdueOrders], secrets: ['cursors'] },
});
