import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { maxBasketPersons } from '../../domain/baskets/basket.ts';
import { receivedKinds } from '../../domain/orders/tender.ts';
import { salesAccess } from '../../sales/access.ts';
import { handlingEntries } from '../baskets/tender-fields.ts';
import { defineOperation } from '../operation.ts';
import { Amount } from '../schemas/catalogue-text.ts';
import { field, Id } from '../schemas/fields.ts';
import { OrderRefund } from '../schemas/order-refund.ts';
import { text } from '../schemas/text.ts';
import { orderPath } from './order-path.ts';
import { ticketIds } from './ticket-ids.ts';

export const refundOrder = defineOperation({
  id: 'refund-order',
  resource: 'orders',
  summary: 'Refund an order',
  description: `Records a refund of the order, or of some of its tickets and memberships, and returns it at once as \`pending\`. Within a minute the money is
returned, the tickets become invalid and are on sale again, the members are cancelled (status 3) and gates do not admit them any more, and \`order.refunded\` follows; \`order.refund_failed\` if the payment
provider refuses: then everything is as it was before the request. Until the money is returned, gates admit the tickets.
While the refund of a membership is pending, its open instalments are cancelled, and it is neither renewed, replaced nor cancelled (409 \`refund_in_progress\`). Tickets that were cancelled can still be refunded. The last refund of an order returns everything that is left,
including the fee on the order.

With \`keep\`, this amount of each ticket and of each person's membership stays with you: it is \`kept\` in the refund, and stays revenue in journal and settlement. It is the one
way to return less than what was paid. More than one of them cost is 400 and names \`keep\`. What is kept comes out of the price less its discount first, then out of the service fee, then out of
the service tax. The tax that the price contains is returned in proportion to what is returned of the price, rounded half up for each ticket and membership.

What a tender has paid at the counter goes back by \`returned_by\`, with an API key that has the scope counter too: the refund is done at once, and the journal has it with
\`tender\`. Without it, the response is 400 and nothing changes. What the payment provider charged goes back through it.

An imported order is refunded at once: its tickets become invalid, and you return the money yourself.

A refunded renewal returns its member to the term before: \`expires\` and \`membership_order_id\` at once, the type within a minute. The term of a member
that is followed by another is 409 \`later_term_exists\`: refund the later one first.

If a ticket or a membership is refunded already or a refund of it is pending, the response is 409 \`ticket_already_refunded\` and nothing changes.`,
  method: 'POST',
  paths: ['/v1/orders/{order_id}/refunds'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: {
    params: orderPath,
    body: v.strictObject({
      ticket_ids: ticketIds(
        'The tickets to refund. Without it and membership_member_ids, everything that is not refunded yet.',
      ),
      membership_member_ids: v.optional(
        field(
          v.nullable(v.pipe(v.array(Id), v.minLength(1), v.maxLength(maxBasketPersons))),
          'The members whose memberships are refunded. People who bought one membership together are refunded together: name one of them.',
        ),
        null,
      ),
      returned_by: v.optional(
        field(
          v.nullable(v.picklist(receivedKinds)),
          'How your staff return what a tender has paid at the counter: in cash, with your own card terminal, by bank transfer, or in another way. Required for such an order if money goes back, and it needs the scope counter. Not for what the payment provider charged.',
        ),
        null,
      ),
      ...handlingEntries,
      keep: v.optional(
        field(
          Amount,
          'What stays with you of each ticket and membership, in major units of the currency, such as a fee for the cancellation. At most what each of them cost; of a membership in instalments, what was paid.',
        ),
        0,
      ),
      reason: v.optional(field(v.nullable(text(500)), 'Why the order is refunded. It is shown in the refund.'), null),
    }),
  },
  output: {
    status: 201,
    schema: OrderRefund,
    problems: [
      'parameter_missing',
      'parameter_conflict',
      'resource_missing',
      'ticket_already_refunded',
      'later_term_exists',
      'payment_in_progress',
    ],
    links: [{ to: 'list-order-refunds', params: { order_id: '$request.path.order_id' } }],
  },
  effects: {
    access: [ordersAccess.findOrderRef, salesAccess.requestRefund],
    emits: ['order.refunded', 'order.refund_failed', 'member.updated'],
    cannotBeUndone: true,
  },
});
