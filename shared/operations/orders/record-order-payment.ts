import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { receivedKinds } from '../../domain/orders/tender.ts';
import { salesAccess } from '../../sales/access.ts';
import { handlingEntries } from '../baskets/tender-fields.ts';
import { defineOperation } from '../operation.ts';
import { Amount } from '../schemas/catalogue-text.ts';
import { field } from '../schemas/fields.ts';
import { RecordedPayment } from '../schemas/order-payment.ts';
import { orderPath } from './order-path.ts';

export const recordOrderPayment = defineOperation({
  id: 'record-order-payment',
  resource: 'orders',
  summary: 'Record a payment of an invoice',
  description: `Records what you have received for an order that was sold on an invoice (\`tender\` of check-out-basket): all that is owed, or a part of it. More than that is
409 \`more_than_owed\`, which names what is owed, and nothing is recorded. With the last part, tickets that are valid when they are paid become valid: gates admit them. The journal has an entry \`payment\`,
and \`order.payment_recorded\` follows. Send an \`Idempotency-Key\`: a second request without one records a second payment.`,
  method: 'POST',
  paths: ['/v1/orders/{order_id}/payments'],
  auth: { kind: 'metered', scope: 'counter' },
  input: {
    params: orderPath,
    body: v.strictObject({
      amount: field(Amount, 'What you have received, in major units of the currency of the order.'),
      kind: field(v.picklist(receivedKinds), 'How you have received it.'),
      ...handlingEntries,
    }),
  },
  output: {
    status: 201,
    schema: RecordedPayment,
    problems: ['more_than_owed'],
    links: [{ to: 'retrieve-order', params: { order_id: '$response.body#/order_id' } }],
  },
  effects: {
    access: [ordersAccess.findOrderRef, salesAccess.recordOrderPayment],
    emits: ['order.payment_recorded'],
    cannotBeUndone: true,
  },
});
