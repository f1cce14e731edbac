import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { basketAuth, basketId, basketPaths } from './basket-operation.ts';

export const retrieveBasket = defineOperation({
  id: 'retrieve-basket',
  resource: 'baskets',
  summary: 'Retrieve a basket',
  description:
    'The basket as it stands. One that was checked out shows its order, so that an answer that was lost can be read again.',
  method: 'GET',
  paths: basketPaths('/{basket_id}'),
  auth: basketAuth,
  input: { params: v.strictObject({ basket_id: basketId }) },
  output: { schema: Basket },
  effects: { access: { BAR: ['BatchGetItem'], BSK: ['GetItem'], ORD: ['GetItem'], UNI: ['GetItem'] } },
});
