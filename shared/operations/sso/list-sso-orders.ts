import * as v from 'valibot';
import { eventsAccess } from '../../data/events/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { transfersAccess } from '../../data/transfers/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { ssoListOf } from '../schemas/list-envelope.ts';
import { SsoOrder } from '../schemas/sso-order.ts';
import { fanOrderStatus } from './order-status.ts';

export const listSsoOrders = defineOperation({
  id: 'list-sso-orders',
  resource: 'sso',
  summary: 'List the orders of the signed-in fan',
  description: `Returns all confirmed orders of the fan with this organisation in one response, newest event first, and newest order first
within an event. With \`order_status=all\` cancelled and refunded orders are among them; their \`ticket_count\` is 0.`,
  method: 'GET',
  paths: ['/v1/sso/orders'],
  auth: { kind: 'metered', scope: 'sso', ssoUser: 'linked', storefront: { sees: 'what belongs to the signed-in fan' } },
  input: { query: v.strictObject(fanOrderStatus) },
  output: { schema: ssoListOf('sso_orders', SsoOrder) },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      ordersAccess.ordersOfUser,
      transfersAccess.ticketsGivenTo,
      eventsAccess.readEvents,
      organisationsAccess.readOrganisation,
    ],
    secrets: ['links'],
  },
});
