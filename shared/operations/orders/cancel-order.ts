import * as v from 'valibot';
import { eventsAccess } from '../../data/events/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { OrderWithTickets } from '../schemas/order-with-tickets.ts';
import { orderPath } from './order-path.ts';
import { ticketIds } from './ticket-ids.ts';

export const cancelOrder = defineOperation({
  id: 'cancel-order',
  resource: 'orders',
  summary: 'Cancel an order',
  description: `Makes the order or some of its tickets invalid without a refund. The tickets are on sale again. Without \`ticket_ids\`, the
memberships of the order end too (status 3; a renewed member returns to the term before). The response is the order
as it is now, and \`order.cancelled\` follows. Cancelled tickets can be refunded later.

An invoice of which something is owed is 409 \`invoice_open\`: refund-order also ends what is owed.

If a ticket is cancelled or refunded already, the response is 409 \`ticket_not_active\` and nothing changes.`,
  method: 'POST',
  paths: ['/v1/orders/{order_id}/cancel'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: {
    params: orderPath,
    body: v.strictObject({
      ticket_ids: ticketIds('The tickets to cancel. Without it, every ticket and membership that is still valid.'),
    }),
  },
  output: {
    schema: OrderWithTickets,
    problems: [
      'resource_missing',
      'ticket_not_active',
      'later_term_exists',
      'plan_open',
      'invoice_open',
      'payment_in_progress',
      'refund_in_progress',
    ],
  },
  effects: {
    access: [ordersAccess.findOrderRef, salesAccess.cancelOrRefundTickets, eventsAccess.readEvent],
    emits: ['order.cancelled', 'member.updated'],
    cannotBeUndone: true,
  },
});
