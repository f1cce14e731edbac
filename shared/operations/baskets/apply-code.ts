import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { codesAccess } from '../../data/codes/access.ts';
import { maxWrongCodes } from '../../domain/baskets/codes.ts';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { basketId, basketPaths, basketProblems, purchaseAuth } from './basket-operation.ts';

export const applyCode = defineOperation({
  id: 'apply-code',
  resource: 'baskets',
  summary: 'Apply a code to a basket',
  description: `Applies a code of a campaign (create-code-campaign) to the basket, in place of another one: a basket has one code. The code reduces
each ticket that it is for, also those that are added later, and reveals the prices of its campaign. \`code\` of the basket says what it
does, or why it does nothing. A use of the code is taken now and given back if the basket is not paid; a refund does not give it back. A
payment that waits for the buyer is cancelled first. Returns the whole basket.

A code that does not exist, or is not valid yet, is 400 \`code_unknown\`. ${maxWrongCodes} of them are the most for a basket, and 100 a minute for a
network address with a storefront token: then the response is a 429.`,
  method: 'POST',
  paths: basketPaths('/{basket_id}/code'),
  auth: purchaseAuth,
  input: {
    params: v.strictObject({ basket_id: basketId }),
    body: v.strictObject({
      code: field(text(100), 'The code as the fan typed it. Small letters and spaces do not matter.'),
    }),
  },
  output: {
    schema: Basket,
    problems: [
      ...basketProblems,
      'code_unknown',
      'code_expired',
      'code_used_up',
      'code_not_applicable',
      'code_needed',
      'code_attempts_exceeded',
    ],
  },
  effects: {
    access: [
      basketsAccess.readBasket,
      basketsAccess.changeBasket,
      salesAccess.changeBasketEndingPayment,
      codesAccess.findCode,
    ],
    usesPayments: true,
    cannotBeUndone: false,
  },
  // A payment that waits for the buyer is cancelled at the provider first.
  runtime: { timeoutSeconds: 27, concurrency: 200, raisedForSale: true },
});
