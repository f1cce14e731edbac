import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { ssoListOf } from '../schemas/list-envelope.ts';
import { SsoTicket } from '../schemas/sso-ticket.ts';
import { fanOrderStatus } from './order-status.ts';

export const listSsoOrderTickets = defineOperation({
  id: 'list-sso-order-tickets',
  resource: 'sso',
  summary: 'List the active tickets of an order of the signed-in fan',
  description: `Returns the active tickets of the order, sorted by id. A barcode is null before \`barcode_from_unix\`. The list is empty if the order belongs to someone else, is not
confirmed or does not exist. With \`order_status=all\` it has the tickets of cancelled and refunded orders too, and those that were cancelled or refunded.`,
  method: 'GET',
  paths: ['/v1/sso/orders/{order_id}/tickets'],
  auth: { kind: 'metered', scope: 'sso', ssoUser: 'linked', storefront: { sees: 'what belongs to the signed-in fan' } },
  input: {
    params: v.strictObject({
      order_id: field(v.string(), 'The order_id from the list of orders of the signed-in fan.'),
    }),
    query: v.strictObject(fanOrderStatus),
  },
  output: { schema: ssoListOf('sso_tickets', SsoTicket) },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      ordersAccess.readOrderRef,
      ordersAccess.readOrderAt,
      pricesAccess.readBarcodeTimes,
    ],
  },
});
