import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { plansAccess } from '../../data/plans/access.ts';
import { maxReferenceLength } from '../../domain/orders/labels.ts';
import { timeRangeOf } from '../events/time-range.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, sinceLastReading, UnixBound } from '../schemas/fields.ts';
import { LinkedOrder } from '../schemas/linked-order.ts';
import { organisationCursorListOf } from '../schemas/list-envelope.ts';
import { numberedPages } from '../schemas/numbered-pages.ts';
import { OrderStatus } from '../schemas/order.ts';
import { orderSearch } from '../schemas/order-search.ts';
import { barcodeInQuery, maxCharacters, text } from '../schemas/text.ts';

export const listOrders = defineOperation({
  id: 'list-orders',
  resource: 'orders',
  summary: 'List orders',
  description: `Returns the orders of the organisation for all events with their tickets, newest first, page by page. You can combine all
filters. Pages are counted in the list as it is at the time of the request. With user_id or email_address a new order appears within
a second; otherwise at once. A search costs the more the more events the organisation has; to search the orders of one event, use list-event-orders.

With \`updated_since\`, returns the orders that changed after it, the oldest change first, and \`cursor\` reads page after page: to keep a copy of
all orders, begin with 0. No order is missed while orders change; one that changes while you read may come again. Imports and the erasure of a buyer
are changes too; new titles of events, prices and membership types, which an order contains, are none.`,
  method: 'GET',
  paths: ['/v1/orders'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      ...numberedPages('orders', { most: 500, usual: 20 }),
      updated_since: v.optional(
        field(
          UnixBound,
          `Only return orders that changed after this Unix time in seconds, sorted by their last change. ${sinceLastReading} It
cannot be combined with other filters or page_number.`,
        ),
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page. Requires the same updated_since.')),
      user_id: v.optional(field(Id, 'Only return the orders of this customer.')),
      email_address: v.optional(
        field(
          v.pipe(v.string(), v.minLength(1), ...maxCharacters(320)),
          'Only return orders whose buyer had this email address at the time of the order. Upper and lower case are the same.',
        ),
      ),
      order_status: v.optional(field(OrderStatus, 'Only return orders with this status.')),
      search: v.optional(orderSearch),
      barcode: v.optional(
        field(
          barcodeInQuery(100),
          `Only return the order that has a ticket with this barcode. White space and control characters around it are ignored, and letters match in
upper and lower case. A barcode that was replaced when the ticket was given away finds nothing, nor does that of a member.`,
        ),
      ),
      external_reference: v.optional(
        field(
          text(maxReferenceLength),
          'Only return the orders with exactly this external_reference, such as the id of the purchase in your shop. A new order appears within a second.',
        ),
      ),
      ...timeRangeOf('Only return orders placed'),
    }),
    queryDependencies: {
      requires: { cursor: ['updated_since'] },
      excludes: [
        'page_number',
        'user_id',
        'email_address',
        'order_status',
        'search',
        'barcode',
        'external_reference',
        'unix_start',
        'unix_end',
      ].map((other) => ['updated_since', other] as const),
    },
  },
  output: {
    schema: organisationCursorListOf('orders', LinkedOrder),
    streamed: true,
    problems: ['parameter_conflict', 'cursor_invalid'],
  },
  effects: {
    access: [
      ordersAccess.listAllOrders,
      ordersAccess.listChangedOrders,
      organisationsAccess.readOrganisation,
      plansAccess.readPlans,
    ],
    secrets: ['cursors', 'links'],
  },
  // 500 orders of many tickets are more than a buffered response can have, and a streamed one may last for minutes.
  runtime: { concurrency: 50 },
});

export type ListOrdersQuery = v.InferOutput<(typeof listOrders)['input']['query']>;
