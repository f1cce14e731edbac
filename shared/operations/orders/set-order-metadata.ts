import * as v from 'valibot';
import { eventsAccess } from '../../data/events/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { defineOperation } from '../operation.ts';
import { metadataChange } from '../schemas/metadata.ts';
import { OrderWithTickets } from '../schemas/order-with-tickets.ts';
import { orderPath } from './order-path.ts';

export const setOrderMetadata = defineOperation({
  id: 'set-order-metadata',
  resource: 'orders',
  summary: 'Set the metadata of an order',
  description: `Changes the pairs that your own systems keep with the order, whatever its status. They are merged by key: keys that you do not send stay. The
order of a basket begins with the metadata of the basket (open-basket). A change sets \`updated_at\`, so copies that are kept by updated_since get it, and webhooks
of the order have it from then on. Metadata is erased with the buyer.`,
  method: 'PUT',
  paths: ['/v1/orders/{order_id}/metadata'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: { params: orderPath, body: v.strictObject({ metadata: metadataChange }) },
  output: { schema: OrderWithTickets },
  effects: {
    access: [
      ordersAccess.findOrderRef,
      ordersAccess.readOrderAt,
      ordersAccess.setOrderMetadata,
      eventsAccess.readEvent,
    ],
    emits: [],
    cannotBeUndone: false,
  },
});
