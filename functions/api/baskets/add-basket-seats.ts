import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { refused } from '../../../shared/domain/baskets/changes.ts';
import { proveHolders } from '../../../shared/http/handlers/callers/prove-holders.ts';
import { saleContext } from '../../../shared/http/handlers/callers/sale-context.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { seatItemsOf } from '../../../shared/http/handlers/input/item-input.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/problems/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { addBasketSeats } from '../../../shared/operations/baskets/add-basket-seats.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';
import { decideSeats, readSeatItems } from '../../../shared/sales/baskets/seat-decision.ts';

export const handle: Handle<typeof addBasketSeats> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId, storefront } = caller;
  const nowUnix = unixSeconds(clock);
  const basketId = parseBasketId(params.basket_id);
  const context = saleContext(deps);
  const wanted = seatItemsOf(body.items);
  const [known, holders] = await Promise.all([
    readBasket(table, orgId, basketId),
    Promise.all(body.items.map((item, index) => proveHolders(deps, item.holders, `items[${index}].holders`))),
  ]);
  if (known === undefined) throw notFound('basket');
  const changed = await changeBasketEndingPayment(
    { table, orgId, clock, requestId, payments: livePayments(table) },
    {
      basketId,
      known,
      addressLimit: storefront && { maxTickets: storefront.maxHeld, nowUnix },
      decide: async (basket) => {
        if (storefront && basket.longHold !== null) return refused(basket, { reason: 'long_hold' });
        const items = await readSeatItems(
          context,
          wanted.map((item, index) => ({ ...item, holders: holders[index] ?? [] })),
        );
        return 'reason' in items ? refused(basket, items) : decideSeats(context, basket, items, body);
      },
    },
    (basket) => receipt(basketResource(orgId, basket, nowUnix)),
  );
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(addBasketSeats, handle);
