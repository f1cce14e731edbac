import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { ssoListOf } from '../schemas/list-envelope.ts';
import { SsoTicket } from '../schemas/sso-ticket.ts';

export const listSsoOrderTickets = defineOperation({
  id: 'list-sso-order-tickets',
  resource: 'sso',
  summary: "List the active tickets of one of the signed-in fan's orders",
  description: `The tickets that still admit, in the order of their ids. An order that is not the fan's own, not confirmed or not there at
all is an empty list, so that nobody learns which orders others have.`,
  method: 'GET',
  paths: ['/v1/sso/orders/{order_id}/tickets'],
  auth: { kind: 'metered', scope: 'sso', ssoUser: true },
  input: { params: v.strictObject({ order_id: field(v.string(), 'The order_id of an order of list-sso-orders.') }) },
  output: { schema: ssoListOf('sso_tickets', SsoTicket) },
  effects: { access: { SSO: ['Query', 'GetItem'], UNI: ['GetItem'], ORD: ['GetItem'], BAR: ['BatchGetItem'] } },
});
