import * as v from 'valibot';
import { maxBasketPrices, maxBasketTickets } from '../../domain/baskets/basket.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field, Id } from '../schemas/fields.ts';
import { basketAuth, basketId, basketPaths, basketProblems } from './basket-operation.ts';

export const addBasketItem = defineOperation({
  id: 'add-basket-item',
  resource: 'baskets',
  summary: 'Add an item to a basket',
  description: `Takes the tickets out of the stock at once and holds them with the basket, all of them or none. Adding more of a price that
the basket holds already adds to that item. A basket holds at most ${maxBasketTickets} tickets of at most ${maxBasketPrices} prices,
all of one event; a group ticket counts as many as it includes. Answers the whole basket.`,
  method: 'POST',
  paths: basketPaths('/{basket_id}/items'),
  auth: basketAuth,
  input: {
    params: v.strictObject({ basket_id: basketId }),
    body: v.strictObject({
      price_id: field(v.union([v.string(), Id]), 'The price to buy, of the event that the basket is for.'),
      quantity: field(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxBasketTickets)),
        'How many; a group ticket counts as one here.',
      ),
    }),
  },
  output: {
    schema: Basket,
    problems: ['resource_missing', ...basketProblems, 'basket_full', 'event_mismatch', 'price_not_on_sale', 'sold_out'],
  },
  effects: {
    access: {
      BSK: ['GetItem', 'PutItem'],
      EVC: ['GetItem'],
      EVT: ['GetItem'],
      STK: ['UpdateItem'],
    },
  },
});
