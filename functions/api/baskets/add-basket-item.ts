import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { proveHolders } from '../../../shared/http/handlers/callers/prove-holders.ts';
import { saleContext } from '../../../shared/http/handlers/callers/sale-context.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { itemReader } from '../../../shared/http/handlers/input/item-input.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/problems/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { addBasketItem } from '../../../shared/operations/baskets/add-basket-item.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';
import { decideItem } from '../../../shared/sales/baskets/item-decision.ts';

export const handle: Handle<typeof addBasketItem> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId, storefront } = caller;
  const nowUnix = unixSeconds(clock);
  const basketId = parseBasketId(params.basket_id);
  const { quantity } = body;
  const context = saleContext(deps);
  const readCurrentItem = itemReader(context, body);
  const [known, readFirst, holders] = await Promise.all([
    readBasket(table, orgId, basketId),
    readCurrentItem(),
    proveHolders(deps, body.holders),
  ]);
  if (known === undefined) throw notFound('basket');
  const changed = await changeBasketEndingPayment(
    { table, orgId, clock, requestId, payments: livePayments(table) },
    {
      basketId,
      known,
      addressLimit: storefront && { maxTickets: storefront.maxHeld, nowUnix },
      decide: async (basket) => {
        const item = basket === known ? readFirst : await readCurrentItem();
        return decideItem(context, basket, item, { quantity, holders });
      },
    },
    (basket) => receipt(basketResource(orgId, basket, nowUnix)),
  );
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(addBasketItem, handle);
