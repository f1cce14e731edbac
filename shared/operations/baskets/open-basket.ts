import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { defineOperation } from '../operation.ts';
import { OpenedBasket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { basketPaths, purchaseAuth } from './basket-operation.ts';

export const openBasket = defineOperation({
  id: 'open-basket',
  resource: 'baskets',
  summary: 'Open a basket',
  description: `Opens an empty basket. The basket expires 15 minutes after it was opened, and then releases its tickets.

With a storefront token, the response contains \`basket_token\`, only this once. Send it in the X-Basket-Token header, or as the
field of a simple form, with every later request for the basket. \`Idempotency-Key\` is an error then, because all buyers share the storefront token.`,
  method: 'POST',
  paths: basketPaths(),
  auth: {
    ...purchaseAuth,
    storefront: { sees: 'a new basket, and its basket token', simpleForm: true, opensBasket: true },
  },
  input: { body: v.strictObject({ org: field(text(100), 'The org_id of the organisation of the API key.') }) },
  output: {
    status: 201,
    schema: OpenedBasket,
    problems: ['resource_missing'],
    links: [
      { to: 'add-basket-item', params: { basket_id: '$response.body#/id' } },
      { to: 'retrieve-basket', params: { basket_id: '$response.body#/id' } },
      { to: 'cancel-basket', params: { basket_id: '$response.body#/id' } },
    ],
  },
  effects: { access: [basketsAccess.openBasket] },
  // 750 a second: 30 at 40 ms each, and five times that while instances start.
  runtime: { concurrency: 150 },
});
