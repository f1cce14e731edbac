import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { tableAccess } from '../../data/table/access.ts';
import { maxLongHoldSeconds, salesChannels } from '../../domain/baskets/basket.ts';
import { defineOperation } from '../operation.ts';
import { OpenedBasket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { externalReferenceInput, metadataChange } from '../schemas/metadata.ts';
import { text } from '../schemas/text.ts';
import { basketPaths, purchaseAuth } from './basket-operation.ts';
import { HeldForCustomer } from './payment-fields.ts';

export const openBasket = defineOperation({
  id: 'open-basket',
  resource: 'baskets',
  summary: 'Open a basket',
  description: `Opens an empty basket. The basket expires 15 minutes after its first item was added, and then releases its tickets; an empty one 15 minutes after it was
opened. Nothing prolongs the time: further items do not, and removing them does not start it again.

With a storefront token, the response contains \`basket_token\`, only this once. Send it in the X-Basket-Token header, or as the
field of a simple form, with every later request for the basket. \`Idempotency-Key\` is an error then, because all buyers share the storefront token.

With the scope \`orders:write\`, \`hold_until_unix\` keeps the basket for days: for a group, an allotment or a guest. It is released
once, at that time. Until then a price that closes stays in the basket, and after a payment that fails the basket is open again. The end
must be before the event starts. retrieve-basket shows the token with which the fan pays it, and list-held-baskets lists all of an event.

With an API key, \`metadata\` and \`external_reference\` keep the ids of your own systems with the basket. The order of the basket has them too; set-order-metadata changes the
metadata then.`,
  method: 'POST',
  paths: basketPaths(),
  auth: {
    ...purchaseAuth,
    storefront: { sees: 'a new basket, and its basket token', simpleForm: true, opensBasket: true },
  },
  input: {
    body: v.strictObject({
      org: field(text(100), 'The org_id of the organisation of the API key.'),
      hold_until_unix: v.optional(
        field(
          v.nullable(v.pipe(v.number(), v.integer())),
          `Keeps the basket until then, in Unix seconds: at most ${maxLongHoldSeconds / 86_400} days from now. Requires the scope orders:write.`,
        ),
        null,
      ),
      reason: v.optional(
        field(v.nullable(text(500)), 'Why you keep it, for your staff. Requires hold_until_unix.'),
        null,
      ),
      customer: v.optional(HeldForCustomer),
      channel: v.optional(
        field(
          v.picklist(salesChannels),
          '`counter` for a sale by your staff: prices are judged by `show_boxoffice` instead of `show_online`, and the checkout takes `tender` as well as a payment. Requires the scope counter.',
        ),
        'online',
      ),
      metadata: v.optional(metadataChange),
      external_reference: externalReferenceInput,
    }),
  },
  output: {
    status: 201,
    schema: OpenedBasket,
    problems: ['resource_missing', 'parameter_missing', 'scope_missing'],
    links: [
      { to: 'add-basket-item', params: { basket_id: '$response.body#/id' } },
      { to: 'retrieve-basket', params: { basket_id: '$response.body#/id' } },
      { to: 'cancel-basket', params: { basket_id: '$response.body#/id' } },
    ],
  },
  effects: {
    access: [basketsAccess.openBasket, basketsAccess.longHoldPuts, tableAccess.personHash],
    cannotBeUndone: false,
  },
  // 750 a second: 30 at 40 ms each, and five times that while instances start.
  runtime: { concurrency: 400, raisedForSale: true },
});

export type OpenBasketBody = v.InferOutput<(typeof openBasket)['input']['body']>;
