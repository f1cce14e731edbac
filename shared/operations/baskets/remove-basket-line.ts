import * as v from 'valibot';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { basketAuth, basketId, basketPaths, basketProblems, lineId } from './basket-operation.ts';

export const removeBasketLine = defineOperation({
  id: 'remove-basket-line',
  resource: 'baskets',
  summary: 'Remove a line from a basket',
  description:
    'Removes one line from the basket and releases its tickets. A payment that waits for the buyer is cancelled first. Returns the whole basket.',
  method: 'DELETE',
  paths: basketPaths('/{basket_id}/lines/{line_id}'),
  auth: basketAuth,
  input: { params: v.strictObject({ basket_id: basketId, line_id: lineId }) },
  output: { schema: Basket, problems: basketProblems },
  effects: { access: [salesAccess.changeBasketEndingPayment], usesPayments: true, cannotBeUndone: false },
  // A payment that waits for the buyer is cancelled at the provider first.
  runtime: { timeoutSeconds: 27, concurrency: 50, raisedForSale: true },
});
