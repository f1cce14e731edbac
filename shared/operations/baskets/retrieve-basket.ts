import * as v from 'valibot';
import { authAccess } from '../../data/auth/access.ts';
import { basketsAccess } from '../../data/baskets/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { defineOperation } from '../operation.ts';
import { RetrievedBasket } from '../schemas/basket.ts';
import { basketAuth, basketId, basketPaths } from './basket-operation.ts';

export const retrieveBasket = defineOperation({
  id: 'retrieve-basket',
  resource: 'baskets',
  summary: 'Retrieve a basket',
  description: `Returns the basket. A basket that was checked out includes its order, so you can see the outcome of a checkout whose response was lost.

A basket that is held for days (\`hold_until_unix\` of open-basket) shows until when, why and for whom to an API key with the scope
\`orders:write\`, and its \`basket_token\`: put it into a link to your shop, and the fan can pay there. It works
with the storefront tokens of the organisation.`,
  method: 'GET',
  paths: basketPaths('/{basket_id}'),
  auth: basketAuth,
  input: { params: v.strictObject({ basket_id: basketId }) },
  output: { schema: RetrievedBasket },
  effects: {
    access: [
      basketsAccess.readBasket,
      ordersAccess.readOrderWithTickets,
      authAccess.readBasketKey,
      pricesAccess.readBarcodeTimes,
      organisationsAccess.readOrganisation,
    ],
    secrets: ['links'],
  },
});
