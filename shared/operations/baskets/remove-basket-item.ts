import * as v from 'valibot';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { basketAuth, basketId, basketPaths, basketProblems } from './basket-operation.ts';

export const removeBasketItem = defineOperation({
  id: 'remove-basket-item',
  resource: 'baskets',
  summary: 'Remove an item from a basket',
  description:
    'Removes all lines of this price from the basket and releases their tickets. A payment that waits for the buyer is cancelled first. Returns the whole basket.',
  method: 'DELETE',
  paths: basketPaths('/{basket_id}/items/{price_id}'),
  auth: basketAuth,
  input: { params: v.strictObject({ basket_id: basketId, price_id: field(v.string(), 'The price_id of the item.') }) },
  output: { schema: Basket, problems: basketProblems },
  effects: { access: [salesAccess.changeBasketEndingPayment], usesPayments: true, cannotBeUndone: false },
  // A payment that waits for the buyer is cancelled at the provider first.
  runtime: { timeoutSeconds: 27, concurrency: 50, raisedForSale: true },
});
