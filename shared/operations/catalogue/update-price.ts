import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { Price } from '../schemas/price.ts';
import { priceFields, priceProblems } from './price-fields.ts';
import { pricePath } from './price-path.ts';

export const updatePrice = defineOperation({
  id: 'update-price',
  resource: 'catalogue',
  summary: 'Update a price',
  description: `Changes the fields that you send and leaves the others unchanged; null clears a field. What was sold keeps its price. Tickets that are
in a basket keep the price that the buyer was shown. A price cannot be deleted: set its status to inactive.`,
  method: 'PATCH',
  paths: ['/v1/events/{event_id}/prices/{price_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: pricePath,
    ifMatch: true,
    body: v.pipe(v.partial(v.strictObject(priceFields)), v.minEntries(1, 'Send at least one field to change.')),
  },
  output: { schema: Price, problems: [...priceProblems, 'capacity_taken', 'stocks_taken'] },
  effects: {
    access: [catalogueAccess.updatePrice, catalogueAccess.readPriceContext],
    emits: ['price.updated'],
    cannotBeUndone: false,
  },
});

export type UpdatePriceBody = v.InferOutput<(typeof updatePrice)['input']['body']>;
