import { readBasketKey } from '../../../shared/data/auth/valid-storefront-tokens.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { readBarcodeTimes } from '../../../shared/data/prices/ticket-rules.ts';
import { hasOrder } from '../../../shared/domain/baskets/basket.ts';
import { basketTokenOf } from '../../../shared/http/auth/basket-token.ts';
import { customerFor, orderFor } from '../../../shared/http/handlers/callers/order-for-caller.ts';
import { readOrderLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { basketResource, heldBasketResource } from '../../../shared/mappers/basket.ts';
import { checkoutOrder } from '../../../shared/mappers/checkout.ts';
import { retrieveBasket } from '../../../shared/operations/baskets/retrieve-basket.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof retrieveBasket> = async ({ params }, deps) => {
  const { caller, table, clock } = deps;
  const { orgId } = caller;
  const basket = await readBasket(table, orgId, parseBasketId(params.basket_id));
  if (basket === undefined) throw notFound('basket');
  const nowUnix = unixSeconds(clock);
  if (basket.longHold !== null && caller.scopes.includes('orders:write')) {
    const key = await readBasketKey(table, orgId, nowUnix);
    const basket_token = key === undefined ? null : basketTokenOf(key, orgId, basket.basketId);
    return { ...heldBasketResource(orgId, basket, nowUnix), basket_token };
  }
  const resource = basketResource(orgId, basket, nowUnix);
  if (!hasOrder(basket)) return resource;
  const placed = await readOrderWithTickets(table, orgId, basket.basketId);
  if (placed === undefined) return resource;
  const [times, linkOf] = await Promise.all([
    readBarcodeTimes(table, orgId, placed.order.eventId, placed.tickets),
    readOrderLinks(deps),
  ]);
  return {
    ...resource,
    order: checkoutOrder(
      orderFor(caller, placed, times, nowUnix),
      customerFor(caller, basket.customer),
      linkOf(placed.order),
    ),
  };
};

export const handler = pipeline(retrieveBasket, handle);
