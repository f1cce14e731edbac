import { defineOperation } from '../operation.ts';
import { ssoListOf } from '../schemas/list-envelope.ts';
import { SsoOrder } from '../schemas/sso-order.ts';

export const listSsoOrders = defineOperation({
  id: 'list-sso-orders',
  resource: 'sso',
  summary: "List the signed-in fan's orders",
  description: `The confirmed orders that the fan placed with this organisation, the newest event first, of one event the newest order
first. All of them come in one response.`,
  method: 'GET',
  paths: ['/v1/sso/orders'],
  auth: { kind: 'metered', scope: 'sso', ssoUser: true },
  output: { schema: ssoListOf('sso_orders', SsoOrder) },
  effects: { access: { SSO: ['Query', 'GetItem'], ORU: ['Query'], EVT: ['BatchGetItem'] } },
});
