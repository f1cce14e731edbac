import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { maxBasketTickets } from '../../domain/baskets/basket.ts';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { addProblems, basketAuth, basketId, basketPaths, lineId, phaseAccess } from './basket-operation.ts';
import { Holders, holdersAccess } from './holder-fields.ts';

export const updateBasketLine = defineOperation({
  id: 'update-basket-line',
  resource: 'baskets',
  summary: 'Change a line of a basket',
  description: `Changes the quantity of a line, its holders, or both; what you do not send stays as it is. A larger quantity reserves the
tickets that are missing, under the rules of add-basket-item and at the price of the line; a smaller one releases the rest. A line cannot
have more holders than tickets: with a smaller quantity, send \`holders\` too. A payment that waits for the buyer is cancelled first. Returns
the whole basket.`,
  method: 'PATCH',
  paths: basketPaths('/{basket_id}/lines/{line_id}'),
  auth: { ...basketAuth, ssoUser: 'optional' },
  input: {
    params: v.strictObject({ basket_id: basketId, line_id: lineId }),
    body: v.pipe(
      v.strictObject({
        quantity: v.optional(
          field(
            v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxBasketTickets)),
            'The new quantity of the line. A group ticket counts as one. remove-basket-line removes the line.',
          ),
        ),
        holders: v.optional(Holders),
      }),
      v.minEntries(1, 'Send at least one field to change.'),
    ),
  },
  output: { schema: Basket, problems: ['parameter_missing', ...addProblems] },
  effects: {
    access: [
      basketsAccess.readAddressCount,
      salesAccess.changeBasketEndingPayment,
      pricesAccess.readOffer,
      ...holdersAccess,
      ...phaseAccess,
    ],
    usesPayments: true,
    cannotBeUndone: false,
  },
  // A payment that waits for the buyer is cancelled at the provider first.
  runtime: { timeoutSeconds: 27, concurrency: 100, raisedForSale: true },
});
