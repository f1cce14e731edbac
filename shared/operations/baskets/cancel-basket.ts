import * as v from 'valibot';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { basketAuth, basketId, basketPaths } from './basket-operation.ts';

export const cancelBasket = defineOperation({
  id: 'cancel-basket',
  resource: 'baskets',
  summary: 'Cancel a basket',
  description:
    'Cancels the basket, releases its tickets and returns it. A payment that waits for the buyer is cancelled first. Cancelling a basket that has expired or was already cancelled changes nothing.',
  method: 'DELETE',
  paths: basketPaths('/{basket_id}'),
  auth: basketAuth,
  input: { params: v.strictObject({ basket_id: basketId }) },
  output: { schema: Basket, problems: ['basket_already_checked_out', 'checkout_in_progress'] },
  effects: { access: [salesAccess.changeBasketEndingPayment], usesPayments: true, cannotBeUndone: false },
  // A payment that waits for the buyer is cancelled at the provider first.
  runtime: { timeoutSeconds: 27, concurrency: 50, raisedForSale: true },
});
