import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { eventListOf } from '../schemas/list-envelope.ts';
import { Order, OrderStatus } from '../schemas/order.ts';
import { eventPath } from './event-path.ts';
import { timeRangeOf } from './time-range.ts';

const integer = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

export const listEventOrders = defineOperation({
  id: 'list-event-orders',
  resource: 'events',
  summary: 'List the orders placed on an event',
  description: `The orders of the event, the oldest first, a page at a time. All filters combine. A page that is
asked for within a minute of the page before it, with the same key, begins where that one ended: such a walk repeats and skips none
because others came. Any other page is counted from the beginning.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/orders'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    params: eventPath,
    query: v.strictObject({
      page_number: v.optional(field(integer(1, 999_999_999), 'Which page, from 1.'), 1),
      limit: v.optional(field(integer(1, 100), 'How many orders a page has.'), 20),
      order_status: v.optional(field(OrderStatus, 'Only orders with this status.')),
      search: v.optional(
        field(
          v.pipe(v.string(), v.maxLength(1_000)),
          `Only orders that every word of this text matches: it begins a word of the buyer's names or email address, or it is the
order_id or order_uuid, whole. Case and accents do not matter.`,
        ),
      ),
      ...timeRangeOf('Only orders placed'),
    }),
  },
  output: { schema: eventListOf('orders', Order) },
  effects: { access: { EVT: ['GetItem'], ORD: ['GetItem', 'Query'], ORV: ['Query'], UNI: ['GetItem'] } },
});
