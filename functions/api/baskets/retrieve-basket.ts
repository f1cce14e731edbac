import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { checkoutOrder } from '../../../shared/mappers/checkout.ts';
import { retrieveBasket } from '../../../shared/operations/baskets/retrieve-basket.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof retrieveBasket> = async ({ params }, { caller, table, clock }) => {
  const { orgId } = caller;
  const basketId = parseId(params.basket_id);
  const basket = basketId === undefined ? undefined : await readBasket(table, orgId, basketId);
  if (basket === undefined) throw notFound('basket');
  const resource = basketResource(orgId, basket, unixSeconds(clock));
  if (basket.customer === null) return resource;
  const placed = await readOrderWithTickets(table, orgId, basket.basketId);
  return placed === undefined ? resource : { ...resource, order: checkoutOrder(placed, basket.customer) };
};

export const handler = pipeline(retrieveBasket, handle);
