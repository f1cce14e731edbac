import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { receivedKinds } from '../../domain/orders/tender.ts';
import { salesAccess } from '../../sales/access.ts';
import { handlingEntries } from '../baskets/tender-fields.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { OrderRefund } from '../schemas/order-refund.ts';
import { orderPath } from './order-path.ts';

export const recordRefundReturn = defineOperation({
  id: 'record-refund-return',
  resource: 'orders',
  summary: 'Record who returned the money of a refund',
  description: `Records that your staff have handed over the money of a refund: one of what a tender had paid at the counter, which began where nobody hands money over, such as
with cancel-event. Such a refund is \`pending\` with \`to_return\`, and its tickets have ended already. Now it is \`succeeded\`, the journal has the money, with \`tender\`,
and \`order.refunded\` follows.

A refund whose money nobody has to hand over, or somebody has, is 409 \`refund_not_awaited\` and nothing changes: of two requests, one hands over. Send an Idempotency-Key to
get the same answer again.`,
  method: 'POST',
  paths: ['/v1/orders/{order_id}/refunds/{refund_id}/return'],
  auth: { kind: 'metered', scope: 'counter' },
  input: {
    params: v.strictObject({
      ...orderPath.entries,
      refund_id: field(v.string(), 'The refund_id of the refund.'),
    }),
    body: v.strictObject({
      returned_by: field(
        v.picklist(receivedKinds),
        'How the money was returned: in cash, with your own card terminal, by bank transfer, or in another way.',
      ),
      ...handlingEntries,
    }),
  },
  output: {
    schema: OrderRefund,
    problems: ['refund_not_awaited'],
    links: [{ to: 'list-order-refunds', params: { order_id: '$request.path.order_id' } }],
  },
  effects: {
    access: [ordersAccess.findOrderRef, salesAccess.recordReturn],
    emits: ['order.refunded', 'member.updated'],
    cannotBeUndone: true,
  },
});
