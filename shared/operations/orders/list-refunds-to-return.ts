import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { RefundToReturn } from '../schemas/refund-to-return.ts';

export const listRefundsToReturn = defineOperation({
  id: 'list-refunds-to-return',
  resource: 'orders',
  summary: 'List the refunds that your staff have to hand over',
  description: `Returns the refunds of all orders with \`to_return\`, the oldest first: a tender has paid them at the counter, and they began where nobody hands money over, such as
cancel-event. record-refund-return records who did. The list comes from an index, which shows a change usually within milliseconds.`,
  method: 'GET',
  paths: ['/v1/orders/to_return'],
  auth: { kind: 'metered', scope: 'finance' },
  input: {
    query: v.strictObject({
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
          'The maximum number of orders per page. An order may have several such refunds.',
        ),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: {
    schema: cursorListOf('refunds_to_return', RefundToReturn),
    problems: ['cursor_invalid'],
    links: [
      {
        to: 'record-refund-return',
        params: {
          order_id: '$response.body#/data/0/order_id',
          refund_id: '$response.body#/data/0/refund_id',
        },
      },
    ],
  },
  effects: { access: [ordersAccess.readOrdersToReturn], secrets: ['cursors'] },
});
