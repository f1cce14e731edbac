import { refused } from '../../../shared/domain/baskets/changes.ts';
import { updateLine } from '../../../shared/domain/baskets/update-line.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { proveHolders } from '../../../shared/http/handlers/callers/prove-holders.ts';
import { saleContext } from '../../../shared/http/handlers/callers/sale-context.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/problems/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { updateBasketLine } from '../../../shared/operations/baskets/update-basket-line.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';
import { readShownOffer } from '../../../shared/sales/baskets/offered-item.ts';

export const handle: Handle<typeof updateBasketLine> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId } = deps;
  const { orgId, storefront } = caller;
  const nowUnix = unixSeconds(clock);
  const basketId = parseBasketId(params.basket_id);
  // No line has the id 0.
  const lineId = parseId(params.line_id) ?? 0;
  const { quantity } = body;
  const context = saleContext(deps);
  const proved = await proveHolders(deps, body.holders ?? null);
  const holders = body.holders === undefined ? undefined : proved;
  const changed = await changeBasketEndingPayment(
    { table, orgId, clock, requestId, payments: livePayments(table) },
    {
      basketId,
      addressLimit: storefront && { maxTickets: storefront.maxHeld, nowUnix },
      decide: async (basket) => {
        const line = basket.lines.find((each) => each.lineId === lineId);
        const isMore = quantity !== undefined && line !== undefined && quantity > line.quantity;
        if (isMore && storefront && basket.longHold !== null) return refused(basket, { reason: 'long_hold' });
        const offer = isMore ? await readShownOffer(context, line.priceId ?? undefined) : undefined;
        return updateLine(basket, lineId, { quantity, holders }, { offer, nowUnix });
      },
    },
  );
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(updateBasketLine, handle);
