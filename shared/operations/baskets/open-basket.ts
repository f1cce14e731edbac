import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { basketAuth, basketPaths } from './basket-operation.ts';

export const openBasket = defineOperation({
  id: 'open-basket',
  resource: 'baskets',
  summary: 'Open a basket',
  description:
    'Opens an empty basket. The basket expires 15 minutes after it was opened, and then releases its tickets.',
  method: 'POST',
  paths: basketPaths(),
  auth: basketAuth,
  input: { body: v.strictObject({ org: field(text(100), 'The org_id of the organisation of the API key.') }) },
  output: {
    status: 201,
    schema: Basket,
    problems: ['resource_missing'],
    links: [
      { to: 'add-basket-item', params: { basket_id: '$response.body#/id' } },
      { to: 'retrieve-basket', params: { basket_id: '$response.body#/id' } },
      { to: 'cancel-basket', params: { basket_id: '$response.body#/id' } },
    ],
  },
  effects: { access: [basketsAccess.openBasket] },
});
