import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { basketAuth, basketId, basketPaths } from './basket-operation.ts';

export const retrieveBasket = defineOperation({
  id: 'retrieve-basket',
  resource: 'baskets',
  summary: 'Retrieve a basket',
  description:
    'Returns the basket. A basket that was checked out includes its order, so you can see the outcome of a checkout whose response was lost.',
  method: 'GET',
  paths: basketPaths('/{basket_id}'),
  auth: basketAuth,
  input: { params: v.strictObject({ basket_id: basketId }) },
  output: { schema: Basket },
  effects: { access: [basketsAccess.readBasket, ordersAccess.readOrderWithTickets] },
});
