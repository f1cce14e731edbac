import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { basketDoor, basketPaths } from './basket-operation.ts';

export const openBasket = defineOperation({
  id: 'open-basket',
  resource: 'baskets',
  summary: 'Open a basket',
  description:
    'An empty basket. What is put into it is held for 15 minutes from now; then it expires and holds nothing any more.',
  method: 'POST',
  paths: basketPaths(),
  effect: 'write',
  door: basketDoor,
  body: v.strictObject({ org: field(v.string(), "The organisation that sells: the key's own org_id.") }),
  status: 201,
  response: Basket,
  access: { BSK: ['PutItem'], DUE: ['PutItem'] },
  problems: ['resource_missing'],
});
