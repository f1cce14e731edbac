import * as v from 'valibot';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { basketAuth, basketId, basketPaths, basketProblems } from './basket-operation.ts';

export const removeCode = defineOperation({
  id: 'remove-code',
  resource: 'baskets',
  summary: 'Remove the code from a basket',
  description: `Removes the code with its reductions, and gives its use back. If the basket has tickets that only the code reveals, remove them
first. A payment that waits for the buyer is cancelled first. Returns the whole basket.`,
  method: 'DELETE',
  paths: basketPaths('/{basket_id}/code'),
  auth: basketAuth,
  input: { params: v.strictObject({ basket_id: basketId }) },
  output: { schema: Basket, problems: [...basketProblems, 'code_needed'] },
  effects: { access: [salesAccess.changeBasketEndingPayment], usesPayments: true, cannotBeUndone: false },
  // A payment that waits for the buyer is cancelled at the provider first.
  runtime: { timeoutSeconds: 27, concurrency: 20, raisedForSale: true },
});
