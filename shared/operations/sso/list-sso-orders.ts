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
  effect: 'read',
  door: { kind: 'counted', scope: 'sso' },
  ssoUser: true,
  status: 200,
  response: ssoListOf('sso_orders', SsoOrder),
  access: { SSO: ['Query', 'GetItem'], ORU: ['Query'], EVT: ['BatchGetItem'] },
});
