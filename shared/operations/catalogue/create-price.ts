import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { dryRunField, dryRunQuery } from '../schemas/dry-run.ts';
import { CheckedPrice } from '../schemas/price.ts';
import { priceFields, priceProblems } from './price-fields.ts';

const { price_category_id, title, price, ...others } = priceFields;

export const createPrice = defineOperation({
  id: 'create-price',
  resource: 'catalogue',
  summary: 'Create a price',
  description: `Creates a price (ticket type) of the event, in a price category. It has a \`capacity\` of its own, or takes its tickets from a pool, or
both. Fields that you leave out have the value of a usual price: no fees, sold online and at the box office, from now on.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/prices'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: eventPath,
    query: dryRunQuery,
    body: v.strictObject({
      ...dryRunField,
      code: optionalCode('price'),
      price_category_id,
      title,
      price,
      ...v.partial(v.strictObject(others)).entries,
      rebate: v.optional(others.rebate, 0),
      service_fee: v.optional(others.service_fee, 0),
      service_tax: v.optional(others.service_tax, 0),
      show_online: v.optional(others.show_online, true),
      show_boxoffice: v.optional(others.show_boxoffice, true),
      status: v.optional(others.status, 'active'),
      tickets_included: v.optional(others.tickets_included, 1),
      scanning_flag: v.optional(others.scanning_flag, 0),
      holder_names: v.optional(others.holder_names, 'optional'),
      order_by: v.optional(others.order_by, 0),
    }),
  },
  output: {
    status: 201,
    schema: CheckedPrice,
    problems: [...priceProblems, 'code_taken', 'too_many_prices'],
  },
  effects: {
    access: [catalogueAccess.savePrice, catalogueAccess.readPriceContext],
    cannotBeUndone: false,
  },
});

export type CreatePriceBody = v.InferOutput<(typeof createPrice)['input']['body']>;
