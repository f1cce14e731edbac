import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { basketAuth, basketPaths } from './basket-operation.ts';

export const openBasket = defineOperation({
  id: 'open-basket',
  resource: 'baskets',
  summary: 'Open a basket',
  description:
    'An empty basket. What is put into it is held for 15 minutes from now; then it expires and holds nothing any more.',
  method: 'POST',
  paths: basketPaths(),
  auth: basketAuth,
  input: { body: v.strictObject({ org: field(v.string(), "The organisation that sells: the key's own org_id.") }) },
  output: { status: 201, schema: Basket, problems: ['resource_missing'] },
  effects: { access: { BSK: ['PutItem'], DUE: ['PutItem'] } },
});
